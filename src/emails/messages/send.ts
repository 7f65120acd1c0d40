import { limitsOf, scheduledEmailsMax } from '../../billing/plans.ts'
import type { App, Caller } from '../../context.ts'
import { providerFailed } from '../../platform/errors.ts'
import { gatheredFor } from '../../platform/gather.ts'
import {
  findResponse,
  onceForKey,
  type RequestKey,
  requestKey,
  type StoredResponse,
} from '../../platform/idempotency/keys.ts'
import { boundsOf } from '../../teams/bounds/plan-bounds.ts'
import { findEmail } from '../queries.ts'
import type { Email, SendEmailBody } from '../schema.ts'
import { type Acceptance, acceptRequests, emailOf, type SendRequest } from './accept/accept.ts'
import { type EmailCommand, sizeOf } from './accept/command.ts'
import { findForeignSender } from './accept/foreign-sender.ts'
import { parseEmail } from './accept/parse.ts'
import { renderCommand } from './accept/render.ts'
import { dispatchNow } from './dispatch/dispatch-now.ts'

const endpoint = 'POST /v1/emails'

/**
 * Sends one email now, or accepts it for later. Durable before it is handed over, recorded before it is answered.
 * Throws by the order of checks; `providerFailed` where nothing was sent and nothing is stored.
 */
export async function sendEmail(
  app: App,
  caller: Caller,
  body: SendEmailBody,
  idempotencyKey: string | null,
): Promise<Email> {
  const key = requestKey(caller.teamId, endpoint, idempotencyKey, body)
  return sendOnce(app, caller, body.from, key, () =>
    renderCommand(app.db, caller.teamId, body, parseEmail(body, app.clock.now())),
  )
}

/** What every door's email goes through; `readCommand` is called where the key is new. */
export async function sendOnce(
  app: App,
  caller: Caller,
  from: string,
  key: RequestKey | null,
  readCommand: () => Promise<EmailCommand>,
): Promise<Email> {
  const foreign = await findForeignSender(app.db, caller, [from])
  if (foreign) throw foreign.refusal
  return onceForKey(
    () => findKnown(app, caller.teamId, key),
    async () => sendNew(app, caller, await readCommand(), key),
  )
}

/** Null: another request with the key has come first, and has the answer. */
async function sendNew(app: App, caller: Caller, command: EmailCommand, key: RequestKey | null): Promise<Email | null> {
  const accepted = await accept(app, { sender: senderOf(caller), commands: [command], key, isBatch: false })
  if (!accepted) return null
  const email = accepted[0]!
  if (!email.job) return emailOf(email, 'scheduled')
  const outcome = await dispatchNow(app, email, email.job, key)
  if (outcome.status === null) throw providerFailed(`${outcome.message} Nothing was sent; the request can be repeated.`)
  return emailOf(email, outcome.status)
}

export function senderOf(caller: Caller): SendRequest['sender'] {
  const bounds = { storedBytes: boundsOf(caller).storedBytes, scheduledEmails: scheduledEmailsMax(caller) }
  return { teamId: caller.teamId, domainId: caller.domainId, limits: limitsOf(caller), bounds }
}

/** Requests that arrive while a commit is under way share the next one. */
export const accept: (app: App, request: SendRequest) => Promise<Acceptance> = gatheredFor(
  (app, requests) => app.transaction((tx) => acceptRequests(tx, requests)),
  // A statement of many long emails would take seconds to write, in which nothing else is answered.
  { itemsMax: 100, flushesMax: 1, weigh: weightOf, weightMax: 4 * 1024 * 1024 },
)

function weightOf({ commands }: SendRequest): number {
  return commands.reduce((sum, command) => sum + sizeOf(command), 0)
}

async function findKnown(app: App, teamId: string, key: RequestKey | null): Promise<Email | null> {
  if (!key) return null
  const recover = async ([id]: string[]): Promise<StoredResponse | null> => {
    const email = id ? await findEmail(app.db, teamId, id) : undefined
    // Unsent and not scheduled: somebody is about to send it, or to say that it could not.
    return email && (email.status !== 'scheduled' || email.scheduledAt) ? { status: 200, body: email } : null
  }
  const response = await findResponse(app, key, recover)
  return response ? (response.body as Email) : null
}
