import type { Caller, Db } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { type EmailEvent, findEmail, listEmailEvents, type StoredEmail } from './queries.ts'

/** Throws `notFound`, also where the caller's key is another domain's. */
export async function getEmail(db: Db, caller: Caller, id: string): Promise<StoredEmail> {
  const email = await findEmail(db, caller.teamId, id, domainSeenBy(caller))
  if (!email) throw notFound('email')
  return email
}

export async function getEmailEvents(db: Db, caller: Caller, id: string): Promise<EmailEvent[]> {
  await getEmail(db, caller, id)
  return listEmailEvents(db, caller.teamId, id)
}

/** A sending key with a domain sees that domain's emails only; a full_access key with one sees all. */
export function domainSeenBy(caller: Caller): string | null {
  return caller.permission === 'sending_access' ? caller.domainId : null
}
