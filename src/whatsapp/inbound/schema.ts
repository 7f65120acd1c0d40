import Type from 'typebox'
import { Nullable, NullableTimestamp, Strict, Text, TextEnum } from '../../platform/http/schema.ts'
import { deliveryStatuses } from '../messages/statuses.ts'
import type { WhatsappInboundEvent } from '../provider.ts'
import { verdicts } from '../templates/apply-reviews.ts'

/** Longer than any provider's id. An index entry cannot hold much more. */
export const idMax = 512
export const eventsMax = 1000

const Name = Text({ minLength: 1, maxLength: idMax })

/** The types of events that the signed endpoint accepts. */
export const eventSchemas = {
  message: Strict({
    type: Type.Literal('message'),
    phoneNumberId: Name,
    from: Type.String({ examples: ['+447700900123'] }),
    text: Type.String({ examples: ['Where is my parcel?'] }),
    providerMessageId: Name,
    contactName: Type.Optional(Nullable(Name)),
    timestamp: Type.Optional(NullableTimestamp),
  }),
  status: Strict({
    type: Type.Literal('status'),
    providerMessageId: Name,
    status: TextEnum(...deliveryStatuses),
    data: Type.Optional(Nullable(Type.Object({}, { additionalProperties: true }))),
  }),
  template_status: Strict({
    type: Type.Literal('template_status'),
    wabaId: Name,
    templateName: Name,
    language: Name,
    status: TextEnum(...verdicts),
    reason: Type.Optional(Nullable(Type.String())),
  }),
} satisfies Record<WhatsappInboundEvent['type'], object>

export const InboundEvents = Strict({
  events: Type.Array(Type.Union(Object.values(eventSchemas)), { maxItems: eventsMax }),
})
