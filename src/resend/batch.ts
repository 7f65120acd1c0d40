import type { App, Caller } from '../context.ts'
import { inBatch } from '../emails/messages/accept/accept.ts'
import { type GivenEmail, parseEmail } from '../emails/messages/accept/parse.ts'
import { sendBatch } from '../emails/messages/send-batch.ts'
import { DomainError, invalidFields } from '../platform/errors.ts'
import { faultFinder } from '../platform/http/schema/validation.ts'
import { BatchEmail, type EmailBody } from './email-body.ts'
import { emailOf, noteTopic } from './emails.ts'
import { theirMessage } from './errors.ts'
import { filledByTemplate } from './filled-by-template.ts'
import { refuseOptedOut } from './topics.ts'

const findFaults = faultFinder(BatchEmail)

type Wanted = { body: object[]; key: string | null; header(name: string): string | undefined }
type Ready = { index: number; email: GivenEmail; topicId: string | null }
type Fault = { index: number; message: string }

/** Sends a batch: a strict one whole or not at all, a permissive one without the emails that are refused. */
export async function sendTheirBatch(app: App, caller: Caller, { body: bodies, key, header }: Wanted) {
  const isPermissive = header('x-batch-validation') === 'permissive'
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
      const given = { bodies, isPermissive }
      const { data } = await sendBatch(
        app,
        caller,
        ready.map(({ email }) => email),
        key,
        given,
      )
      for (const [at, { id }] of data.entries()) await noteTopic(app, caller.teamId, id, ready[at]?.topicId)
      return answerOf(
        data.map(({ id }) => ({ id })),
        errors,
        isPermissive,
      )
    } catch (error) {
      const at = refusedAt(error)
      if (at === null || !ready[at]) throw error
      errors.push(faultOf(error, ready[at].index, isPermissive))
      ready.splice(at, 1)
    }
  }
  return answerOf([], errors, isPermissive)
}

async function read(app: App, caller: Caller, body: object, index: number): Promise<Ready> {
  const faults = findFaults(body)
  if (faults.length > 0) throw invalidFields(faults)
  const filled = await filledByTemplate(app.db, caller.teamId, body as EmailBody)
  const email = emailOf(filled, app.clock.now())
  parseEmail(email, app.clock.now())
  await refuseOptedOut(app.db, caller.teamId, email, filled.topic_id)
  return { index, email, topicId: filled.topic_id ?? null }
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

function answerOf(data: { id: string }[], errors: Fault[], isPermissive: boolean) {
  const inOrder = errors.toSorted((one, other) => one.index - other.index)
  return isPermissive ? { data, errors: inOrder } : { data }
}
