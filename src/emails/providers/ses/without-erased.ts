import type { Tx } from '../../../context.ts'
import type { Json } from '../../../platform/http/body/read-foreign-json.ts'
import { maskPerson } from '../../../platform/privacy/mask-person.ts'
import { personOf } from '../../../platform/privacy/person.ts'
import { normalizeAddress } from '../../../platform/text/mail-address.ts'
import { findErasedForms } from '../../../suppressions/queries.ts'
import { eventOf, type SesEvent } from './read-event.ts'

/**
 * Puts `erased` in place of recipients who were erased after Amazon took the email. Amazon names every recipient in
 * each event, also in one about another recipient, and quotes the header.
 */
export async function withoutErased(tx: Tx, teamId: string, event: SesEvent): Promise<SesEvent> {
  const named = [...new Set(addressesIn(event.payload).map(normalizeAddress))]
  const found = await findErasedForms(tx, teamId, named)
  return eventOf(maskPerson(event.payload, 'json', personOf([...found.keys()], [])) as Json) ?? event
}

/**
 * The parts are bounded as those of addresses (RFC 5321 4.5.3.1), so that the time is linear in the length of the
 * event.
 */
const address = /[^\s"<>(),:;\\]{1,64}@[^\s"<>(),:;\\]{1,255}/g

function addressesIn(payload: Json): string[] {
  return (
    JSON.stringify(payload)
      .replaceAll(/\\[nrt]/g, ' ')
      .match(address) ?? []
  )
}
