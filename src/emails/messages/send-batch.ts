import { limitsOf } from '../../billing/plans.ts'
import type { App, Caller } from '../../context.ts'
import { DomainError, invalid } from '../../platform/errors.ts'
import { answerBatch, answerOnce } from '../../platform/idempotency/answer-once.ts'
import { type RequestKey, requestKey } from '../../platform/idempotency/keys.ts'
import { longWorkBytes, takeTurn } from '../../platform/waiting/turns.ts'
import { refuseUnverifiedTeam } from '../../teams/refuse-unverified.ts'
import type { EmailAnswer } from '../provider.ts'
import { findEmail } from '../queries.ts'
import type { Email } from '../schema.ts'
import { acceptEmails, inBatch } from './accept/accept.ts'
import { type GivenEmail, parseEmail, renderCommand } from './accept/parse.ts'
import { findForeignSender, findRefused } from './accept/refuse.ts'
import { dispatchNow, type NowOutcome } from './dispatch/dispatch-now.ts'
import type { Refusable } from './dispatch/withdraw-and-refuse.ts'
import { type AcceptedEmail, type EmailCommand, emailOf, sizeOf } from './email.ts'
import { sendingTeamOf } from './send.ts'
import { answeredStatus } from './statuses.ts'

const endpoint = 'POST /v1/emails/batch'
/** Equal to the limit of the body, because a short body can render a long template a hundred times. */
export const contentMaxBytes = 40 * 1024 * 1024

/** The answer of a batch, with what another API adds to it. */
type Sent<More> = { data: Email[]; more?: More }

/**
 * Sends several emails, one by one in their order, after all were checked and accepted together. While the provider is
 * not there they wait as `delayed`. With EMAIL_UNREACHABLE=refuse the first failure ends the batch with `{error,
 * index}`: the emails before it are sent, and those after it are not, except those whose sending another process has
 * begun, which `error` names. `given` is the request as it was made, by which it is recognised when it is repeated.
 */
export async function sendBatch(
  app: App,
  caller: Caller,
  bodies: GivenEmail[],
  idempotencyKey: string | null,
  given: unknown = bodies,
) {
  await refuseBatch(app, caller, bodies)
  const key = requestKey(caller.teamId, endpoint, idempotencyKey, { emails: given })
  return sendBatchOnce(app, caller, key, () => sendNewBatch<never>(app, caller, bodies, { key }))
}

/** Answers a repeated batch from the first one. `make` sends a new one, with `sendNewBatch`. */
export function sendBatchOnce<More>(
  app: App,
  caller: Caller,
  key: RequestKey | null,
  make: () => Promise<Sent<More> | null>,
): Promise<Sent<More>> {
  return answerOnce<Sent<More>>(app, key, {
    recover: async (ids, more) => {
      const data = await recover(app, caller.teamId, ids)
      return data && { data, ...(more !== undefined && { more: more as More }) }
    },
    make,
  })
}

/** Refuses a batch because of the team, the key's domain or the number of emails. */
export async function refuseBatch(app: App, caller: Caller, bodies: GivenEmail[]): Promise<void> {
  await refuseUnverifiedTeam(app, caller.teamId)
  const froms = bodies.map(({ from }) => from)
  const foreign = await findForeignSender(app.db, caller, froms)
  if (foreign) throw inBatch(foreign.refusal, foreign.index)
  refuseLongBatch(caller, bodies.length)
}

/** Refuses more emails than a batch of the team's plan may have. */
export function refuseLongBatch(caller: Caller, count: number): void {
  const { batchSize } = limitsOf(caller)
  if (count > batchSize) throw invalid('emails', `at most ${batchSize} on the plan of this team`)
}

/** Checks a batch by all rules but the limits, and sends nothing. Throws the refusal that `sendBatch` would. */
export async function checkBatch(app: App, caller: Caller, bodies: GivenEmail[]): Promise<void> {
  await refuseBatch(app, caller, bodies)
  const commands = await parseAll(app, caller, bodies)
  const refused = await findRefused(app, sendingTeamOf(caller), commands)
  if (refused) throw inBatch(refused.refusal, refused.index)
}

/**
 * Makes the answer of a batch whose process died, from its emails, which a worker has sent. Null while some are not
 * sent.
 */
async function recover(app: App, teamId: string, ids: string[]): Promise<Email[] | null> {
  const emails = await Promise.all(ids.map((id) => findEmail(app.db, teamId, id)))
  const present = emails.filter((email) => email !== undefined)
  const isPending = present.some((email) => email.status === 'scheduled' && !email.scheduledAt)
  return isPending ? null : present.map((email) => ({ ...email, status: answeredStatus(email.status) }))
}

type New<More> = { key: RequestKey | null; more?: More }

/** Null if another batch with the key came first. `more` is kept with the answer. */
export async function sendNewBatch<More>(
  app: App,
  caller: Caller,
  bodies: GivenEmail[],
  { key, more }: New<More>,
): Promise<Sent<More> | null> {
  const commands = await parseAll(app, caller, bodies)
  const accepted = await acceptEmails(app, { team: sendingTeamOf(caller), commands, key, isBatch: true, more })
  return accepted && sendInOrder(app, accepted, { key, ...(more !== undefined && { more }) })
}

async function parseAll(app: App, caller: Caller, bodies: GivenEmail[]): Promise<EmailCommand[]> {
  const commands: EmailCommand[] = []
  let size = 0
  for (const [index, body] of bodies.entries()) {
    try {
      const command = await renderCommand(app.db, caller.teamId, body, parseEmail(body, app.clock.now()))
      size += sizeOf(command, command.source?.body)
      if (size > contentMaxBytes) throw invalid('emails', 'hold more than 40 MiB together once they are filled in')
      if (size > longWorkBytes) await takeTurn()
      commands.push(command)
    } catch (error) {
      throw error instanceof DomainError ? inBatch(error, index) : error
    }
  }
  return commands
}

async function sendInOrder<More>(app: App, accepted: AcceptedEmail[], { key, more }: New<More>): Promise<Sent<More>> {
  // Extends the leases of all emails while the first ones are sent.
  const releases = accepted.flatMap(({ job }) => (job ? [app.jobs.hold(job)] : []))
  try {
    const data: Email[] = []
    // Waiting for an absent provider once for each email would hold the request for minutes.
    let known: EmailAnswer | null = null
    // Without the database each email would hold the request for seconds, so workers send the others once it is back.
    let isLate = false
    for (const [index, email] of accepted.entries()) {
      const outcome: NowOutcome =
        email.job && !isLate
          ? await dispatchNow(app, { ...refusable(accepted, index, key), job: email.job, key: null, known })
          : { status: 'scheduled', unreachable: known }
      known = outcome.unreachable
      isLate ||= outcome.isLate ?? false
      data.push(emailOf(email, outcome.status))
    }
    const answer = { data, ...(more !== undefined && { more }) }
    // The answer of scheduled emails alone was stored when they were accepted. That of a late batch is made from its
    // emails, once they are sent.
    if (releases.length > 0 && !isLate) await answerBatch(app, key, { status: 200, body: answer })
    return answer
  } finally {
    for (const release of releases) release()
  }
}

/** Describes how the batch is refused if the email at `index` is not sent. */
function refusable(accepted: AcceptedEmail[], index: number, key: RequestKey | null): Refusable {
  return {
    accepted: accepted[index]!,
    later: accepted.slice(index + 1),
    makeRefusal(message, kept) {
      const begun = kept.map((email) => accepted.indexOf(email))
      const body = { error: `${message} Nothing was sent for this email.${describeBegun(begun)}`, index }
      const response = index === 0 && kept.length === 0 ? null : { status: 400, body }
      return { error: new DomainError('invalid', body.error, { body }), key, response }
    },
  }
}

function describeBegun(indexes: number[]): string {
  if (indexes.length === 0) return ''
  return ` Later emails whose sending had begun are sent all the same, by index: ${indexes.join(', ')}.`
}
