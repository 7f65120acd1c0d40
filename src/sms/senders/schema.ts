import Type, { type Static } from 'typebox'
import { senderNameMax } from '../../phone/bounds.ts'
import {
  Body,
  Name,
  Nullable,
  Page,
  Resource,
  Text,
  TextEnum,
  Timestamp,
  Uuid,
} from '../../platform/http/schema/schema.ts'

const senderTypes = ['alphanumeric_id', 'long_code', 'toll_free', 'short_code'] as const

export const MessageType = TextEnum('transactional', 'promotional')

const GivenName = Name({ maxLength: senderNameMax, examples: ['Shop'] })
const SenderId = Text({
  minLength: 1,
  maxLength: 20,
  description:
    'The sender that recipients see. `alphanumeric_id`: 1 to 11 letters, digits and spaces, with a letter; `long_code` and `toll_free`: E.164; `short_code`: 4 to 6 digits.',
  examples: ['Posthorn'],
})
const Country = Text({ maxLength: 100, description: 'ISO 3166-1 alpha-2, in capitals.', examples: ['AU'] })
const DefaultMessageType = Type.Unsafe<Static<typeof MessageType>>({
  ...MessageType,
  description: 'A `transactional` sender sends no promotional messages; a `promotional` one sends both.',
})

export const NewSender = Body('NewSmsSender', {
  name: GivenName,
  senderId: SenderId,
  senderType: Type.Optional(TextEnum(...senderTypes)),
  country: Type.Optional(Country),
  defaultMessageType: Type.Optional(DefaultMessageType),
})
export type NewSender = Static<typeof NewSender>

export const SenderChanges = Body(
  'SmsSenderChanges',
  { name: Type.Optional(GivenName), defaultMessageType: Type.Optional(DefaultMessageType) },
  { minProperties: 1 },
)
export type SenderChanges = Static<typeof SenderChanges>

export const Sender = Resource('SmsSender', {
  id: Uuid,
  name: GivenName,
  senderId: SenderId,
  senderType: TextEnum(...senderTypes),
  status: TextEnum('not_started', 'pending', 'active', 'failed', 'rejected', 'suspended'),
  defaultMessageType: DefaultMessageType,
  country: Country,
  providerRef: Nullable(Type.String()),
  rejectionReason: Nullable(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const SenderList = Page(Sender)
