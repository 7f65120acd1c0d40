import Type, { type Static } from 'typebox'
import { IdOf, Nullable, Resource, Strict, TextEnum, Uuid } from '../platform/http/schema/schema.ts'

export const kinds = [
  'email',
  'sms',
  'whatsapp_message',
  'whatsapp_conversation',
  'contact',
  'segment',
  'topic',
  'template',
  'whatsapp_template',
  'broadcast',
  'workflow',
  'execution',
  'webhook',
  'delivery',
  'domain',
  'sms_sender',
  'whatsapp_sender',
  'request',
] as const

export const LookupQuery = Strict({ id: IdOf('any resource of the team') })

export const Thing = Type.Object(
  {
    kind: TextEnum(...kinds),
    id: Uuid,
    parentId: Nullable(
      Type.String({
        format: 'uuid',
        description: 'The workflow of an execution, or the webhook of a delivery. Null for the others.',
      }),
    ),
    name: Type.String({
      description: 'Its name, subject, address, phone number or event type.',
      examples: ['Your receipt'],
    }),
  },
  { description: 'Null if the id is unknown, or not for the caller.' },
)
export type Thing = Static<typeof Thing>

export const Lookup = Resource('Lookup', {
  found: Nullable(Thing),
})
