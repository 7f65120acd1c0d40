import { type TextName, textFields, textNames } from '../../../src/contacts/fields.ts'

/** A contact as the API answers it. `segments` and `topics` hold the newest 1000. */
export type Contact = { [Name in TextName]: string | null } & {
  id: string
  email: string
  unsubscribed: boolean
  properties: Record<string, unknown>
  segments: { segmentId: string; name: string }[]
  topics: { topicId: string; name: string }[]
  createdAt: string
  updatedAt: string
}

export const contactsPath = '/v1/contacts'

export function fullName(contact: Contact): string {
  const parts = textNames.filter((name) => textFields[name].isOfName).map((name) => contact[name])
  return parts.filter(Boolean).join(' ')
}
