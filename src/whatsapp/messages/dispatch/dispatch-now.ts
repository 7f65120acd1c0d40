import type { App } from '../../../context.ts'
import { providerFailed } from '../../../platform/errors.ts'
import type { RequestKey } from '../../../platform/idempotency/keys.ts'
import { LeaseLost } from '../../../platform/jobs/job.ts'
import { boundedWait, whileDatabaseIsGone } from '../../../platform/while-database-is-gone.ts'
import type { WhatsappAnswer } from '../../provider.ts'
import type { AcceptedMessage } from '../accept/accepted.ts'
import { withdraw } from '../accept/withdraw.ts'
import { findMessage } from '../queries.ts'
import type { Message } from '../schema.ts'
import { handOver } from './hand-over.ts'
import { recordHanded } from './record.ts'

/**
 * Hands a message over within its request, and returns the message as it is afterwards. The request holds the job of the
 * message: if this process dies, a worker finishes it. Throws `providerFailed` if the message was withdrawn, and
 * `unavailable` if it was handed over but cannot be recorded at the moment.
 */
export async function dispatchNow(app: App, message: AcceptedMessage, key: RequestKey | null): Promise<Message> {
  const release = app.jobs.hold(message.job)
  const handing = handOver(app, message.job)
  handing.catch(release)
  try {
    const answer = await handing
    return await boundedWait(settle(app, message, answer, key).finally(release))
  } catch (error) {
    if (error instanceof LeaseLost) return asItStands(app, message)
    throw error
  }
}

async function settle(
  app: App,
  message: AcceptedMessage,
  answer: WhatsappAnswer | null,
  key: RequestKey | null,
): Promise<Message> {
  if (!answer) throw new LeaseLost()
  if (answer.kind !== 'unavailable') return recordHanded(app, { job: message.job, answer, key })
  await whileDatabaseIsGone(() => app.transaction((tx) => withdraw(tx, message, key)))
  throw nothingSent(answer.message)
}

/** Returns the message as another process left it, for a process that was paused for longer than its lease. */
async function asItStands(app: App, { teamId, id }: AcceptedMessage): Promise<Message> {
  const message = await findMessage(app.db, teamId, id)
  if (!message) throw nothingSent('The WhatsApp provider was out of reach.')
  return message
}

function nothingSent(why: string) {
  return providerFailed(`${why} Nothing was sent; the request can be repeated.`)
}
