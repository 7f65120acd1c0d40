import type { App, Caller } from '../context.ts'
import { notFound, orNotFound } from '../platform/errors.ts'
import type { Bounded } from '../platform/http/route.ts'
import { freeBytes } from '../platform/limits/byte-budget.ts'
import { fillBroadcastEmail, maskedToken } from './of-broadcasts/fill.ts'
import {
  type EmailEvent,
  findBroadcastEmail,
  findEmail,
  findEmailUpTo,
  hasEmail,
  listEmailEvents,
  type Seen,
} from './queries.ts'
import type { Email } from './schema.ts'
import { seesSystemMail } from './system-mail.ts'

/** Finds one email with its bodies. Throws `notFound`, also for an email that the caller may not see. */
export async function getEmail(app: App, caller: Caller, id: string): Promise<Email> {
  const email = await orNotFound('email', findEmail(app.db, caller.teamId, id, seenBy(caller)))
  return withBodies(app, caller, email)
}

/**
 * Finds an email as `getEmail` does, in one query if it is small: up to `freeBytes`, which `bounded` lets pass
 * (`boundedFor` in `platform/http/add-route.ts`). Larger bodies are read once `bounded` has counted them.
 */
export async function getEmailBounded(app: App, caller: Caller, id: string, bounded: Bounded): Promise<Email> {
  const found = findEmailUpTo(app.db, caller.teamId, id, seenBy(caller), freeBytes)
  const { email, bytes } = await orNotFound('email', found)
  return bounded(bytes, () => (email ? withBodies(app, caller, email) : getEmail(app, caller, id)))
}

/** Adds the bodies to an email of a broadcast, which are rendered when they are read. */
async function withBodies(app: App, caller: Caller, email: Email): Promise<Email> {
  if (email.html !== null || email.text !== null) return email
  const ofBroadcast = await findBroadcastEmail(app.db, caller.teamId, email.id)
  if (!ofBroadcast) return email
  const { html, text } = await fillBroadcastEmail(app, ofBroadcast, maskedToken)
  return { ...email, html: html?.render() ?? null, text: text?.render() ?? null }
}

export async function getEmailEvents(app: App, caller: Caller, id: string): Promise<EmailEvent[]> {
  await refuseUnseenEmail(app, caller, id)
  return listEmailEvents(app.db, caller.teamId, id)
}

/** Throws `notFound` unless the caller may see the email. */
export async function refuseUnseenEmail(app: App, caller: Caller, id: string): Promise<void> {
  if (!(await hasEmail(app.db, caller.teamId, id, seenBy(caller)))) throw notFound('email')
}

function seenBy(caller: Caller): Seen {
  return { domainId: domainSeenBy(caller), system: seesSystemMail(caller) }
}

/** Returns the domain whose emails a key sees, or null for all. Only a sending key with a domain is limited to it. */
export function domainSeenBy(caller: Caller): string | null {
  return caller.permission === 'sending_access' ? caller.domainId : null
}
