import Type from 'typebox'
import { Body, Nullable, NullableTimestamp, Strict, Text, TextEnum } from '../../platform/http/schema/schema.ts'
import { deliveryStatuses } from '../messages/statuses.ts'
import type { WhatsappInboundEvent } from '../provider.ts'
import { verdicts } from '../templates/apply-reviews.ts'

/** Longer than any provider's id. An index entry cannot hold much more. */
export const idMax = 512
export const eventsMax = 1000

const Name = (...examples: string[]) => Text({ minLength: 1, maxLength: idMax, examples })

/** The types of events that the signed endpoint accepts. */
export const eventSchemas = {
  message: Strict({
    type: Type.Literal('message'),
    phoneNumberId: Name('106540352242922'),
    from: Type.String({ examples: ['+447700900123'] }),
    text: Type.String({ examples: ['Where is my parcel?'] }),
    providerMessageId: Name('wamid.HBgMNDQ3NzAwOTAwMTIz'),
    contactName: Type.Optional(Nullable(Name('Ada Lovelace'))),
    timestamp: Type.Optional(NullableTimestamp),
  }),
  status: Strict({
    type: Type.Literal('status'),
    providerMessageId: Name('wamid.HBgMNDQ3NzAwOTAwMTIz'),
    status: TextEnum(...deliveryStatuses),
    data: Type.Optional(Nullable(Type.Object({}, { additionalProperties: true }))),
  }),
  template_status: Strict({
    type: Type.Literal('template_status'),
    wabaId: Name('102290129340398'),
    templateName: Name('order_shipped'),
    language: Name('en'),
    status: TextEnum(...verdicts),
    reason: Type.Optional(Nullable(Type.String())),
  }),
} satisfies Record<Exclude<WhatsappInboundEvent['type'], 'marketing'>, object>

export const InboundEvents = Body('WhatsappEvents', {
  events: Type.Array(Type.Union(Object.values(eventSchemas)), { maxItems: eventsMax }),
})
