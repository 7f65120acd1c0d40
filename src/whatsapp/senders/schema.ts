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
import { PhoneNumber } from '../phone-number.ts'

const GivenName = Name({ maxLength: senderNameMax, examples: ['Support'] })
const DisplayName = Nullable(Name({ maxLength: 200, description: 'What readers see.', examples: ['Shop'] }))
const ProviderId = (description: string, example: string) =>
  Nullable(Text({ minLength: 1, maxLength: 100, description, examples: [example] }))
const WabaId = ProviderId('The id of the WhatsApp Business Account. Required to verify the sender.', '102290129340398')
const PhoneNumberId = ProviderId('What WhatsApp calls the number. Needed to verify.', '106540352242922')

const changeable = {
  displayName: Type.Optional(DisplayName),
  wabaId: Type.Optional(WabaId),
  phoneNumberId: Type.Optional(PhoneNumberId),
}

export const NewSender = Body('NewWhatsappSender', { name: GivenName, phoneNumber: PhoneNumber, ...changeable })
export type NewSender = Static<typeof NewSender>

export const SenderChanges = Body(
  'WhatsappSenderChanges',
  { name: Type.Optional(GivenName), ...changeable },
  { minProperties: 1 },
)
export type SenderChanges = Static<typeof SenderChanges>

export const Sender = Resource('WhatsappSender', {
  id: Uuid,
  name: Type.String(),
  phoneNumber: PhoneNumber,
  displayName: DisplayName,
  status: TextEnum('not_started', 'pending', 'active', 'failed', 'rejected', 'suspended'),
  phoneNumberId: PhoneNumberId,
  wabaId: WabaId,
  rejectionReason: Nullable(Type.String({ description: 'Why it is failed or rejected.' })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Sender = Static<typeof Sender>

export const SenderList = Page(Sender)
