import type { Tx } from '../../../context.ts'
import { type Json, listOf } from '../../../platform/http/body/read-foreign-json.ts'
import { maskPerson } from '../../../platform/privacy/mask-person.ts'
import { personOf } from '../../../platform/privacy/person.ts'
import { normalizeAddress } from '../../../platform/text/mail-address.ts'
import { findErasedForms } from '../../../suppressions/queries.ts'
import { bareAddress, eventOf, type SesEvent } from './read-event.ts'

/**
 * Puts `erased` in place of recipients who were erased after Amazon took the email. Amazon names every recipient in
 * each event, also in one about another recipient.
 */
export async function withoutErased(tx: Tx, teamId: string, event: SesEvent): Promise<SesEvent> {
  const named = listOf(event.mail.destination).map((text) => normalizeAddress(bareAddress(String(text))))
  const found = await findErasedForms(tx, teamId, named)
  return eventOf(maskPerson(event.payload, 'json', personOf([...found.keys()], [])) as Json) ?? event
}
