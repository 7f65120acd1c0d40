import Type, { type Static } from 'typebox'
import {
  Body,
  exampleId,
  ListQueryOf,
  Nullable,
  NullableTimestamp,
  Page,
  Resource,
  TextEnum,
  Timestamp,
  Uuid,
} from '../../platform/http/schema/schema.ts'
import { PhoneNumber } from '../phone-number.ts'
import { whatsappBodyMax } from '../templates/placeholders.ts'
import { deliveryStatuses, whatsappStatuses } from './statuses.ts'

export const MessageBody = Type.String({
  minLength: 1,
  maxLength: whatsappBodyMax,
  examples: ['Your parcel is on its way.'],
})

/** More placeholders than any body contains. */
const variablesMax = 1000
const Variables = Type.Array(Type.String({ maxLength: whatsappBodyMax }), {
  maxItems: variablesMax,
  examples: [['Ada', '4711']],
})

/** Its example has a template, because the first message of a conversation needs one. */
export const SendWhatsappBody = Body(
  'NewWhatsappMessage',
  {
    senderId: Uuid,
    to: PhoneNumber,
    templateId: Type.Optional(Uuid),
    variables: Type.Optional(
      Type.Unsafe<string[]>({ ...Variables, description: 'As many as the template has placeholders, in their order.' }),
    ),
    body: Type.Optional(
      Type.String({ ...MessageBody, description: 'Replaces a template while the 24-hour window is open.' }),
    ),
  },
  { examples: [{ senderId: exampleId, to: '+447700900123', templateId: exampleId, variables: ['Ada', '4711'] }] },
)
export type SendWhatsappBody = Static<typeof SendWhatsappBody>

export const WhatsappMessage = Resource('WhatsappMessage', {
  id: Uuid,
  senderId: Uuid,
  conversationId: Uuid,
  direction: TextEnum('outbound', 'inbound'),
  to: PhoneNumber,
  from: PhoneNumber,
  templateId: Nullable(Uuid),
  templateName: Nullable(Type.String({ examples: ['order_shipped'] })),
  variables: Nullable(Variables),
  body: Type.String({ description: 'The text of a template with its variables filled in.', examples: ['Hello Ada'] }),
  status: TextEnum(...whatsappStatuses),
  providerMessageId: Nullable(Type.String()),
  error: Nullable(Type.String({ description: 'Why it failed.' })),
  mode: TextEnum('live', 'test'),
  createdAt: Timestamp,
  sentAt: NullableTimestamp,
})
export type WhatsappMessage = Static<typeof WhatsappMessage>

const MessageEvent = Type.Object({
  id: Uuid,
  type: TextEnum(...deliveryStatuses, 'outcome_unknown'),
  createdAt: Timestamp,
  data: Nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
})

export const WhatsappMessageWithEvents = Resource(
  'WhatsappMessageWithEvents',
  {
    ...WhatsappMessage.properties,
    events: Type.Array(MessageEvent, { description: 'Oldest first, each type once.' }),
  },
  { 'x-extends': 'WhatsappMessage' },
)

export const WhatsappPage = Page(WhatsappMessage)

/** The size of a page if the caller gives no `limit`. */
export const messagesUsual = 50
export const WhatsappListQuery = ListQueryOf({}, messagesUsual)
export type WhatsappListQuery = Static<typeof WhatsappListQuery>
