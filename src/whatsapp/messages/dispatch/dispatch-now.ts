import type { App } from '../../../context.ts'
import { providerFailed, unavailable } from '../../../platform/errors.ts'
import type { RequestKey } from '../../../platform/idempotency/keys.ts'
import { boundedWait, whileDatabaseIsGone } from '../../../platform/while-database-is-gone.ts'
import type { AcceptedMessage } from '../accept/accept.ts'
import { withdraw } from '../accept/withdraw.ts'
import { findMessage } from '../queries.ts'
import type { Message } from '../schema.ts'
import { markHandedOver } from './mark.ts'
import { outboundOf } from './outbound.ts'
import { recordAnswer, type Settled } from './record.ts'

/**
 * Hands a message over within the request that brought it, which holds its job: when this process dies before it marked the
 * message, a worker sends it; after that nobody does, and it is recorded as of unknown outcome. Throws `providerFailed` where
 * nothing was sent and nothing is stored.
 */
export async function dispatchNow(app: App, accepted: AcceptedMessage, key: RequestKey | null): Promise<Message> {
  const release = app.jobs.hold(accepted.job)
  let recording: Promise<void> | undefined
  try {
    if (!(await markHandedOver(app, accepted))) return await messageByAnother(app, accepted)
    const answer = await app.whatsappProvider.send(outboundOf(accepted))
    if (answer.kind === 'unavailable') {
      await app.transaction((tx) => withdraw(tx, accepted, key))
      throw providerFailed(`${answer.message} Nothing was sent; the request can be repeated.`)
    }
    const at = app.clock.now()
    const message = messageOf(accepted, answer, at)
    const response = key && { key, response: { status: 200, body: message } }
    const handed = { teamId: accepted.teamId, messageId: accepted.id, answer, at, response }
    recording = whileDatabaseIsGone(() => recordAnswer(app, handed))
    await boundedWait(recording)
    return message
  } finally {
    // Until the answer is recorded nobody else may judge what became of the message.
    if (recording) void recording.catch(() => undefined).finally(release)
    else release()
  }
}

/** This process was away for longer than its lease; what the other made of the message is the answer. */
async function messageByAnother(app: App, { teamId, id }: AcceptedMessage): Promise<Message> {
  const message = await findMessage(app.db, teamId, id)
  if (!message) throw unavailable('The message could not be sent in time. Repeat the request.')
  return message
}

function messageOf(accepted: AcceptedMessage, answer: Settled, at: Date): Message {
  const { id, sender, conversationId, to, template, variables, body, createdAt } = accepted
  return {
    ...{ id, senderId: sender.id, conversationId, direction: 'outbound', to, from: sender.phoneNumber },
    ...{ templateId: template?.id ?? null, templateName: template?.name ?? null, variables, body },
    status: statusAfter[answer.kind],
    providerMessageId: answer.kind === 'accepted' ? answer.providerMessageId : null,
    error: answer.kind === 'refused' ? answer.message : null,
    createdAt,
    sentAt: answer.kind === 'accepted' ? at : null,
  }
}

const statusAfter = { accepted: 'sent', refused: 'failed', unknown: 'accepted' } as const
