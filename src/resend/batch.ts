import type { App, Caller } from '../context.ts'
import { inBatch } from '../emails/messages/accept/accept.ts'
import { type GivenEmail, parseEmail } from '../emails/messages/accept/parse.ts'
import { refuseBatch, sendBatchOnce, sendNewBatch } from '../emails/messages/send-batch.ts'
import { DomainError, invalidFields } from '../platform/errors.ts'
import { faultFinder } from '../platform/http/schema/validation.ts'
import { type RequestKey, requestKey } from '../platform/idempotency/keys.ts'
import { BatchEmail, type EmailBody } from './email-body.ts'
import { emailOf, endpointFor, noteTopic } from './emails.ts'
import { theirMessage } from './errors.ts'
import { filledByTemplate } from './filled-by-template.ts'
import { refuseOptedOut } from './topics.ts'

const findFaults = faultFinder(BatchEmail)

type Wanted = { body: object[]; key: string | null; header(name: string): string | undefined }
type Ready = { index: number; email: GivenEmail }
type Fault = { index: number; message: string }

/** Sends a batch: a strict one whole or not at all, a permissive one without the emails that are refused. */
export async function sendTheirBatch(app: App, caller: Caller, { body: bodies, key: given, header }: Wanted) {
  const isPermissive = header('x-batch-validation') === 'permissive'
  // As it was given: a repeat finds other times and perhaps other templates.
  const key = requestKey(caller.teamId, endpointFor(caller, 'POST /resend/emails/batch'), given, {
    bodies,
    isPermissive,
  })
  const { data, more } = await sendBatchOnce<Fault[]>(app, caller, key, () =>
    sendAllowed(app, caller, { bodies, key, isPermissive }),
  )
  await noteTopics(app, caller, bodies, { data, errors: more ?? [] })
  const ids = data.map(({ id }) => ({ id }))
  return isPermissive ? { data: ids, errors: more ?? [] } : { data: ids }
}

type New = { bodies: object[]; key: RequestKey | null; isPermissive: boolean }

/** Sends the emails that are allowed. Null if another batch with the key came first. */
async function sendAllowed(app: App, caller: Caller, { bodies, key, isPermissive }: New) {
  const errors: Fault[] = []
  const ready: Ready[] = []
  for (const [index, body] of bodies.entries()) {
    try {
      ready.push(await read(app, caller, body, index))
    } catch (error) {
      errors.push(faultOf(error, index, isPermissive))
    }
  }
  // Each round leaves out one email that is refused.
  while (ready.length > 0) {
    try {
      return await sendReady(app, caller, ready, { key, ...(isPermissive && { more: inOrder(errors) }) })
    } catch (error) {
      const at = refusedAt(error)
      if (at === null || !ready[at]) throw error
      errors.push(faultOf(error, ready[at].index, isPermissive))
      ready.splice(at, 1)
    }
  }
  return { data: [], more: inOrder(errors) }
}

async function sendReady(app: App, caller: Caller, ready: Ready[], answer: { key: RequestKey | null; more?: Fault[] }) {
  const emails = ready.map(({ email }) => email)
  await refuseBatch(app, caller, emails)
  return sendNewBatch(app, caller, emails, answer)
}

/** A repeat notes them too, because the first request may have died before. */
async function noteTopics(
  app: App,
  { teamId }: Caller,
  bodies: object[],
  { data, errors }: { data: { id: string }[]; errors: Fault[] },
): Promise<void> {
  const refused = new Set(errors.map(({ index }) => index))
  const sent = bodies.filter((_, index) => !refused.has(index))
  // Emails that are removed by now are not in the answer.
  if (sent.length !== data.length) return
  for (const [at, { id }] of data.entries()) await noteTopic(app, teamId, id, (sent[at] as EmailBody).topic_id)
}

function inOrder(errors: Fault[]): Fault[] {
  return errors.toSorted((one, other) => one.index - other.index)
}

async function read(app: App, caller: Caller, body: object, index: number): Promise<Ready> {
  const faults = findFaults(body)
  if (faults.length > 0) throw invalidFields(faults)
  const filled = await filledByTemplate(app.db, caller.teamId, body as EmailBody)
  const email = emailOf(filled, app.clock.now())
  parseEmail(email, app.clock.now())
  await refuseOptedOut(app.db, caller.teamId, email, filled.topic_id)
  return { index, email }
}

/** Returns the place of the email because of which a batch was refused; null if it was another reason. */
function refusedAt(error: unknown): number | null {
  if (!(error instanceof DomainError && error.cause instanceof DomainError)) return null
  const at = error.details.body?.index
  return typeof at === 'number' ? at : null
}

/** The fault of one email. Throws it if the batch is strict. */
function faultOf(error: unknown, index: number, isPermissive: boolean): Fault {
  if (!(error instanceof DomainError)) throw error
  if (!isPermissive) throw error.cause ? error : inBatch(error, index)
  return { index, message: theirMessage(error) }
}
