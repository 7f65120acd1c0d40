import Type from 'typebox'
import { Nullable, NullableTimestamp, Page, Strict, Text, TextEnum, Timestamp, Uuid } from '../platform/http/schema.ts'

const Name = Text({ minLength: 1, maxLength: 200, description: 'For people to tell keys apart.', examples: ['Shop'] })

const Permission = TextEnum('full_access', 'sending_access')

const DomainId = { description: 'The one domain the key may send email from.' }

export const NewApiKey = Strict({
  name: Name,
  permission: Type.Optional(
    Type.Unsafe<'full_access' | 'sending_access'>({
      ...Permission,
      default: 'sending_access',
      description: '`sending_access` sends and reads emails and broadcasts; `full_access` may use every endpoint.',
    }),
  ),
  domainId: Type.Optional(Nullable(Type.String({ ...Uuid, ...DomainId }))),
})

export const ApiKeyChanges = Strict(
  { name: Type.Optional(Name), permission: Type.Optional(Permission) },
  { minProperties: 1 },
)

const fields = {
  id: Uuid,
  name: Type.String({ examples: ['Shop'] }),
  keyPrefix: Type.String({ description: 'The first characters of the key.', examples: ['ph_4fK9aZ0'] }),
  permission: Permission,
  domainId: Nullable(Type.String({ format: 'uuid', ...DomainId })),
}

export const ApiKey = Type.Object({ ...fields, createdAt: Timestamp })

export const CreatedApiKey = Type.Object({
  ...fields,
  key: Type.String({
    description: 'The full key. It is shown here once and never again.',
    examples: ['ph_4fK9aZ0mQ7sT1uVwX2yB3cD5eF6gH8iJ9kL0mN1o'],
  }),
  createdAt: Timestamp,
})

export const ApiKeyList = Page(
  Type.Object({
    ...fields,
    domainName: Nullable(Type.String({ examples: ['example.com'] })),
    lastUsedAt: NullableTimestamp,
    createdAt: Timestamp,
  }),
)
