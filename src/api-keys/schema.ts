import Type from 'typebox'
import {
  Body,
  Name,
  Nullable,
  NullableTimestamp,
  Page,
  Resource,
  TextEnum,
  Timestamp,
  Uuid,
} from '../platform/http/schema/schema.ts'

const GivenName = Name({ maxLength: 200, description: 'For people to tell keys apart.', examples: ['Shop'] })

const Permission = TextEnum('full_access', 'sending_access')

const Mode = TextEnum('live', 'test')

const DomainId = { description: 'The one domain the key may send email from.' }

const ExpiresAt = Nullable(
  Type.String({
    format: 'date-time',
    description: 'When the key expires. Null if it does not.',
    examples: ['2031-01-31T09:30:00Z'],
  }),
)

export const NewApiKey = Body(
  'NewApiKey',
  {
    name: GivenName,
    permission: Type.Optional(
      Type.Unsafe<'full_access' | 'sending_access'>({
        ...Permission,
        default: 'sending_access',
        description: '`sending_access` sends and reads emails and broadcasts; `full_access` may use every endpoint.',
      }),
    ),
    mode: Type.Optional(
      Type.Unsafe<'live' | 'test'>({
        ...Mode,
        default: 'live',
        description: 'What a `test` key sends is captured: nothing leaves, and nothing counts. It never changes.',
      }),
    ),
    domainId: Type.Optional(Nullable(Type.String({ ...Uuid, ...DomainId }))),
    expiresAt: Type.Optional(ExpiresAt),
  },
  { examples: [{ name: 'Shop', permission: 'sending_access' }] },
)

export const ApiKeyChanges = Body(
  'ApiKeyChanges',
  { name: Type.Optional(GivenName), permission: Type.Optional(Permission), expiresAt: Type.Optional(ExpiresAt) },
  { minProperties: 1 },
)

const fields = {
  id: Uuid,
  name: Type.String({ examples: ['Shop'] }),
  keyPrefix: Type.String({ description: 'The first characters of the key.', examples: ['ph_4fK9aZ0'] }),
  mode: Mode,
  permission: Permission,
  domainId: Nullable(Type.String({ format: 'uuid', ...DomainId })),
  expiresAt: NullableTimestamp,
  createdBy: Nullable(
    Type.Object(
      {
        type: TextEnum('user', 'api_key', 'operator'),
        id: Nullable(Uuid),
        name: Type.String({ examples: ['Ada Lovelace'] }),
      },
      {
        description:
          'The creator of the key, with its name at that time. Null for keys that are older than this field.',
      },
    ),
  ),
}

export const ApiKey = Resource('ApiKey', { ...fields, createdAt: Timestamp })

export const CreatedApiKey = Resource(
  'CreatedApiKey',
  {
    ...fields,
    key: Type.String({
      description: 'The full key. It is shown only here.',
      examples: ['ph_4fK9aZ0mQ7sT1uVwX2yB3cD5eF6gH8iJ9kL0mN1o'],
    }),
    createdAt: Timestamp,
  },
  { 'x-extends': 'ApiKey' },
)

export const ApiKeyList = Page(
  Resource(
    'ApiKeyListItem',
    {
      ...fields,
      domainName: Nullable(Type.String({ examples: ['example.com'] })),
      lastUsedAt: NullableTimestamp,
      createdAt: Timestamp,
    },
    { 'x-extends': 'ApiKey' },
  ),
)
