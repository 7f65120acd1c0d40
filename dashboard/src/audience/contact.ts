/** A contact as the API answers it. `segments` and `topics` hold the newest 1000. */
export type Contact = {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
  phoneNumber: string | null
  unsubscribed: boolean
  properties: Record<string, unknown>
  segments: { segmentId: string; name: string }[]
  topics: { topicId: string; name: string }[]
  createdAt: string
  updatedAt: string
}

export const contactsPath = '/v1/contacts'

export function fullName({ firstName, lastName }: Pick<Contact, 'firstName' | 'lastName'>): string {
  return [firstName, lastName].filter(Boolean).join(' ')
}
