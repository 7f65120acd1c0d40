import { limitsOf, scheduledEmailsMax } from '../../billing/plans.ts'
import type { App, Caller } from '../../context.ts'
import { providerFailed } from '../../platform/errors.ts'
import { answerOnce } from '../../platform/idempotency/answer-once.ts'
import { type RequestKey, requestKey } from '../../platform/idempotency/keys.ts'
import { boundsOf } from '../../teams/bounds/plan-bounds.ts'
import { refuseUnverifiedTeam } from '../../teams/refuse-unverified.ts'
import { findEmail } from '../queries.ts'
import { findQuotaRefusal } from '../quota/usage.ts'
import type { Email, SendEmailBody } from '../schema.ts'
import { acceptEmails, askFor } from './accept/accept.ts'
import { parseEmail, renderCommand } from './accept/parse.ts'
import { findRefused, refuseForeignSender } from './accept/refuse.ts'
import { dispatchNow } from './dispatch/dispatch-now.ts'
import { type EmailCommand, emailOf, type SendingTeam, sizeOf } from './email.ts'
import { answeredStatus } from './statuses.ts'

const endpoint = 'POST /v1/emails'

/**
 * Sends one email now, or accepts it for later. It is durable before it is handed over, and recorded before the answer.
 * Throws the refusal of the first check that fails. With EMAIL_UNREACHABLE=refuse throws `providerFailed` if it cannot
 * be handed over now: nothing was sent, and nothing is stored.
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

/**
 * Sends an email that came by HTTP, SMTP or a workflow. `readCommand` is called only if the key is new. Null as `from`
 * leaves it to `readCommand` to refuse the sender.
 */
export async function sendOnce(
  app: App,
  caller: Caller,
  from: string | null,
  key: RequestKey | null,
  readCommand: () => Promise<EmailCommand>,
): Promise<Email> {
  await refuseUnverifiedTeam(app, caller.teamId)
  await refuseForeignSender(app.db, caller, from === null ? [] : [from])
  return answerOnce<Email>(app, key, {
    recover: (ids) => recover(app, caller.teamId, ids),
    make: async () => sendNew(app, caller, await readCommand(), key),
  })
}

/**
 * Checks an email by all rules and limits as they are now, and takes and sends nothing. Throws the refusal that
 * `sendOnce` would throw. It does not call `refuseUnverifiedTeam`, which `sendOnce` calls first.
 */
export async function checkEmail(app: App, caller: Caller, command: EmailCommand): Promise<void> {
  const team = sendingTeamOf(caller)
  const refused = await findRefused(app, team, [command])
  const refusal = refused?.refusal ?? (await findQuotaRefusal(app, askFor(team, [command], sizeOf(command))))
  if (refusal) throw refusal
}

/** Finds the answer of an earlier request. Null while its email may still be sent or withdrawn. */
async function recover(app: App, teamId: string, [id]: string[]): Promise<Email | null> {
  const email = id === undefined ? undefined : await findEmail(app.db, teamId, id)
  if (!email || (email.status === 'scheduled' && !email.scheduledAt)) return null
  return { ...email, status: answeredStatus(email.status) }
}

/** Null if another request with the key came first and has the answer. */
async function sendNew(app: App, caller: Caller, command: EmailCommand, key: RequestKey | null): Promise<Email | null> {
  const accepted = await acceptEmails(app, { team: sendingTeamOf(caller), commands: [command], key, isBatch: false })
  if (!accepted) return null
  const email = accepted[0]!
  if (!email.job) return emailOf(email, 'scheduled')
  const makeRefusal = (message: string) => {
    const error = providerFailed(`${message} Nothing was sent; the request can be repeated.`)
    // The key is freed, so that the request can be repeated.
    return { error, key, response: null }
  }
  const { status } = await dispatchNow(app, { accepted: email, later: [], job: email.job, key, makeRefusal })
  return emailOf(email, status)
}

export function sendingTeamOf(caller: Caller): SendingTeam {
  const bounds = { storedBytes: boundsOf(caller).storedBytes, scheduledEmails: scheduledEmailsMax(caller) }
  return { teamId: caller.teamId, domainId: caller.domainId, limits: limitsOf(caller), bounds }
}
