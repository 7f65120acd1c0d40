import type { Static } from 'typebox'
import type { App, Caller } from '../context.ts'
import { inBatch } from '../emails/messages/accept/accept.ts'
import { type GivenEmail, parseEmail } from '../emails/messages/accept/parse.ts'
import { refuseBatch, sendBatchOnce, sendNewBatch } from '../emails/messages/send-batch.ts'
import { DomainError, invalidFields } from '../platform/errors.ts'
import { faultFinder } from '../platform/http/schema/validation.ts'
import { type RequestKey, requestKey } from '../platform/idempotency/keys.ts'
import { BatchBody, BatchEmail, type EmailBody, readEmailBody } from './email-body.ts'
import { emailOf, endpointFor, noteTopic } from './emails.ts'
import { theirMessage } from './errors.ts'
import { like } from './route-like.ts'
import { filledByTemplate } from './templates.ts'
import { refuseOptedOut } from './topics.ts'

const findFaults = faultFinder(BatchEmail)

type Fault = { index: number; message: string }

/** Sends a batch: a strict one whole or not at all, a permissive one without the emails that are refused. */
export const theirBatchRoute = like('sendEmailBatch', 'POST /emails/batch', BatchBody, async (input) => {
  const { app, caller, body: bodies, idempotencyKey, request } = input
  const isPermissive = request.headers['x-batch-validation'] === 'permissive'
  // As it was given: a repeat finds other times and perhaps other templates.
  const endpoint = endpointFor(caller, 'POST /resend/emails/batch')
  const key = requestKey(caller.teamId, endpoint, idempotencyKey, { bodies, isPermissive })
  const { data, more: errors = [] } = await sendBatchOnce<Fault[]>(app, caller, key, () =>
    sendAllowed(app, caller, { bodies, key, isPermissive }),
  )
  await noteTopics(app, caller, bodies, { data, errors })
  const ids = data.map(({ id }) => ({ id }))
  return isPermissive ? { data: ids, errors } : { data: ids }
})

type New = { bodies: object[]; key: RequestKey | null; isPermissive: boolean }

/** Sends the emails that are allowed. Null if another batch with the key came first. */
async function sendAllowed(app: App, caller: Caller, { bodies, key, isPermissive }: New) {
  const errors: Fault[] = []
  const ready: { index: number; email: GivenEmail }[] = []
  for (const [index, body] of bodies.entries()) {
    try {
      ready.push({ index, email: await readEmail(app, caller, body) })
    } catch (error) {
      errors.push(faultOf(error, index, isPermissive))
    }
  }
  const more = () => errors.sort((one, other) => one.index - other.index)
  // Each round leaves out one email that is refused.
  while (ready.length > 0) {
    const emails = ready.map(({ email }) => email)
    try {
      await refuseBatch(app, caller, emails)
      return await sendNewBatch(app, caller, emails, { key, ...(isPermissive && { more: more() }) })
    } catch (error) {
      const at = refusedAt(error)
      if (at === null || !ready[at]) throw error
      errors.push(faultOf(error, ready[at].index, isPermissive))
      ready.splice(at, 1)
    }
  }
  return { data: [], more: more() }
}

async function readEmail(app: App, { teamId }: Caller, body: object): Promise<GivenEmail> {
  const faults = findFaults(body)
  if (faults.length > 0) throw invalidFields(faults)
  const filled = await filledByTemplate(app.db, teamId, readEmailBody(body as Static<typeof BatchEmail>))
  const email = emailOf(filled, app.clock.now())
  parseEmail(email, app.clock.now())
  await refuseOptedOut(app.db, teamId, email, filled.topic_id)
  return email
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

type Sent = { data: { id: string }[]; errors: Fault[] }

/** A repeat notes them too, because the first request may have died before. */
async function noteTopics(app: App, { teamId }: Caller, bodies: object[], { data, errors }: Sent): Promise<void> {
  const refused = new Set(errors.map(({ index }) => index))
  const sent = bodies.filter((_, index) => !refused.has(index)) as EmailBody[]
  // Emails that are removed by now are not in the answer.
  if (sent.length !== data.length) return
  for (const [at, { id }] of data.entries()) await noteTopic(app, teamId, id, sent[at]!.topic_id)
}
