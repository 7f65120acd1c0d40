import { oneOf } from '../../api/use-one.ts'

export type SenderStatus = 'not_started' | 'pending' | 'active' | 'failed' | 'rejected' | 'suspended'

/** The fields that senders of both channels have. */
export type AnySender = {
  id: string
  name: string
  status: SenderStatus
  rejectionReason: string | null
  createdAt: string
  updatedAt: string
}

export type Sender = AnySender & {
  senderId: string
  senderType: string
  defaultMessageType: 'transactional' | 'promotional'
  country: string
  providerRef: string | null
}

export const sendersPath = '/v1/sms/senders'
export const senderOf = (id: string) => oneOf<Sender>(sendersPath, id)

export const nameMax = 200

export const senderTypes = [
  { value: 'alphanumeric_id', label: 'Name' },
  { value: 'long_code', label: 'Phone number' },
  { value: 'toll_free', label: 'Toll-free number' },
  { value: 'short_code', label: 'Short code' },
]

export function typeOf({ senderType }: Sender): string {
  return senderTypes.find(({ value }) => value === senderType)?.label ?? senderType
}

export const messageTypes = [
  { value: 'transactional', label: 'Transactional' },
  { value: 'promotional', label: 'Promotional' },
]
