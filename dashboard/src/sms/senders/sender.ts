import type { Answer } from '../../api/request.ts'
import { oneOf } from '../../api/use-one.ts'
import type { Option } from '../../ui/form/field.tsx'

export type Sender = Answer<'/v1/sms/senders/:id'>
/** A sender of either channel. */
export type AnySender = Pick<Sender, 'id' | 'name' | 'status' | 'rejectionReason' | 'createdAt' | 'updatedAt'>

export const senderOf = (id: string) => oneOf('/v1/sms/senders/:id', { id })

export const senderTypes: Option<Sender['senderType']>[] = [
  { value: 'alphanumeric_id', label: 'Name' },
  { value: 'long_code', label: 'Phone number' },
  { value: 'toll_free', label: 'Toll-free number' },
  { value: 'short_code', label: 'Short code' },
]

export function typeOf({ senderType }: Sender): string {
  return senderTypes.find(({ value }) => value === senderType)?.label ?? senderType
}

export const messageTypes: Option<Sender['defaultMessageType']>[] = [
  { value: 'transactional', label: 'Transactional' },
  { value: 'promotional', label: 'Promotional' },
]
