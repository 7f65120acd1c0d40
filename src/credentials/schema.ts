import Type, { type Static } from 'typebox'
import { Body, Name, Page, Resource, Strict, Text, TextEnum, Timestamp, Uuid } from '../platform/http/schema/schema.ts'

const CredentialType = TextEnum('bearer', 'basic', 'header')

/** Half of the 8 KiB that servers usually accept in a header line. */
const Part = (description: string) => Type.Optional(Text({ maxLength: 4096, description }))

/** `secret.ts` checks which parts belong to which type, with clearer messages than a schema gives. */
const Secret = Strict(
  {
    token: Part('For `bearer`: sent as `Authorization: Bearer <token>`.'),
    username: Part('Of `basic`. Without a colon.'),
    password: Part('Of `basic`. May be empty.'),
    value: Part('For `header`: the value of the header that the node names.'),
  },
  { description: '`{token}`, `{username, password}` or `{value}`, by type. Never shown again.' },
)

const AllowedHosts = Type.Array(Text({ minLength: 1, maxLength: 300 }), {
  minItems: 1,
  maxItems: 20,
  description:
    'The hosts that it may be sent to: `api.example.com`, or `*.example.com` for all names below. With a port (`api.example.com:8443`) only that port is allowed. Without this field it may be sent to every host.',
  examples: [['api.example.com']],
})

export const NewCredential = Body(
  'NewCredential',
  {
    name: Name({ maxLength: 200, description: 'For people.', examples: ['Warehouse'] }),
    type: CredentialType,
    secret: Secret,
    allowedHosts: Type.Optional(AllowedHosts),
  },
  {
    examples: [
      { name: 'Warehouse', type: 'bearer', secret: { token: 'wh_4fK9aZ0' }, allowedHosts: ['api.example.com'] },
    ],
  },
)
export type NewCredential = Static<typeof NewCredential>

export const Credential = Resource('Credential', {
  id: Uuid,
  name: Type.String({ examples: ['Warehouse'] }),
  type: CredentialType,
  allowedHosts: Type.Optional(AllowedHosts),
  createdAt: Timestamp,
})

export const CredentialList = Page(Credential)
