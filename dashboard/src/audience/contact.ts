import { nameParts } from '../../../src/contacts/fields.ts'
import type { Answer } from '../api/request.ts'

/** A contact as the API answers it. `segments` and `topics` hold the newest 1000. */
export type Contact = Answer<'/v1/contacts/:id'>

export function fullName(contact: Contact): string {
  const parts = nameParts.map((name) => contact[name])
  return parts.filter(Boolean).join(' ')
}
