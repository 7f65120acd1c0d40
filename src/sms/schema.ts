import Type, { type Static } from 'typebox'
import {
  Body,
  IdOf,
  ListQueryOf,
  Nullable,
  NullableTimestamp,
  Page,
  Resource,
  Search,
  TextEnum,
  Timestamp,
  Uuid,
} from '../platform/http/schema/schema.ts'
import { smsBodyMax } from './messages/accept/segments.ts'
import { smsStatuses } from './messages/statuses.ts'
import { MessageType } from './senders/schema.ts'

const Status = TextEnum(...smsStatuses)

/** The most messages of a batch on any plan. */
export const batchMax = 100

const To = Type.String({ maxLength: 100, description: 'E.164.', examples: ['+61491570156'] })
const SenderName = Type.String({ description: 'As it was when the message was sent.', examples: ['Shop'] })
const Segments = Type.Integer({ description: '160 characters each in GSM-7, else 70.', examples: [1] })

export const SendSmsBody = Body('NewSmsMessage', {
  to: To,
  body: Type.String({ minLength: 1, maxLength: smsBodyMax, examples: ['Your order has shipped.'] }),
  senderId: Type.Unsafe<string>({ ...Uuid, description: 'An active sender.' }),
  messageType: Type.Optional(
    Type.Unsafe<Static<typeof MessageType>>({ ...MessageType, description: "The sender's default where left out." }),
  ),
})
export type SendSmsBody = Static<typeof SendSmsBody>

export const SendSmsBatchBody = Body('NewSmsBatch', {
  messages: Type.Array(SendSmsBody, { minItems: 1, maxItems: batchMax }),
})

const Mode = TextEnum('live', 'test')

export const Sms = Resource('SmsMessage', {
  id: Uuid,
  to: To,
  body: Type.String({ examples: ['Your order has shipped.'] }),
  messageType: MessageType,
  status: Status,
  segments: Segments,
  providerMessageId: Nullable(Type.String()),
  senderId: Uuid,
  senderName: SenderName,
  mode: Mode,
  createdAt: Timestamp,
  sentAt: NullableTimestamp,
})
export type Sms = Static<typeof Sms>

export const SmsBatch = Resource('SmsBatch', {
  data: Type.Array(
    Type.Object({ id: Uuid, to: To, status: Status, segments: Segments, senderName: SenderName, mode: Mode }),
  ),
})

const Refused = Resource('SmsRefusal', {
  error: TextEnum('UNSUPPORTED_DESTINATION_COUNTRY', 'RECIPIENT_OPTED_OUT'),
  message: Type.String(),
  index: Type.Optional(Type.Integer({ description: 'Which of a batch, from 0.' })),
})
const LimitReached = Type.Union(
  [
    Type.Object({
      error: Type.Literal('DAILY_SMS_LIMIT_EXCEEDED'),
      limit: Type.Integer(),
      remaining: Type.Integer(),
    }),
    Type.Object({
      error: Type.Literal('DAILY_SMS_SPEND_LIMIT_EXCEEDED'),
      spent_today: Type.Number({ description: 'Dollars.' }),
      limit: Type.Number({ description: 'Dollars.' }),
    }),
  ],
  { title: 'SmsLimitReached' },
)
/** Refusals of sends that have a special body. */
export const sendRefusals = { forbidden: Refused, unprocessable: Refused, limitExceeded: LimitReached }

export const SmsPage = Page(Sms)

export const SmsListQuery = ListQueryOf({
  status: Type.Optional({ ...Status, description: 'Only those with this status.' }),
  senderId: Type.Optional(IdOf('the sender that they came from')),
  search: Search,
})
export type SmsListQuery = Static<typeof SmsListQuery>

export const SmsEvents = Type.Array(
  Resource('SmsEvent', {
    id: Uuid,
    type: Type.String({ examples: ['delivered'] }),
    createdAt: Timestamp,
    data: Nullable(Type.Object({}, { additionalProperties: true })),
  }),
)
