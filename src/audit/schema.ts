import Type, { type Static } from 'typebox'
import {
  ListQueryOf,
  Nullable,
  Page,
  Resource,
  Text,
  TextEnum,
  Timestamp,
  Uuid,
} from '../platform/http/schema/schema.ts'
import { TimeRange } from '../platform/http/schema/time-range.ts'

const nameMax = 320

export const AuditQuery = ListQueryOf({
  actor: Type.Optional(
    Text({ minLength: 1, maxLength: nameMax, description: 'The id or the exact name of the actor.' }),
  ),
  action: Type.Optional(
    Text({ minLength: 1, maxLength: 100, description: 'The exact action.', examples: ['api_key.created'] }),
  ),
  target: Type.Optional(
    Text({ minLength: 1, maxLength: nameMax, description: 'The id or the exact name of what was changed.' }),
  ),
  ...TimeRange,
})
export type AuditQuery = Static<typeof AuditQuery>

const Actor = Type.Object(
  {
    type: TextEnum('user', 'api_key', 'operator', 'system'),
    id: Nullable(Uuid),
    name: Type.String({ examples: ['Ada Lovelace'] }),
  },
  {
    description:
      'A person, an API key, a command of the operator, or the system: a job, or an event of a payment or messaging provider. ' +
      'The name is the one it had at that time.',
  },
)

const Target = Type.Object({
  type: Type.String({ examples: ['api_key'] }),
  id: Type.String({ examples: ['01890a5d-ac96-774b-bcce-b302099a8057'] }),
  name: Nullable(Type.String({ examples: ['Shop'] })),
})

const Changes = Type.Unsafe<Record<string, { from: unknown; to: unknown }>>({
  type: 'object',
  description: 'The fields that changed, with their values before and after.',
  additionalProperties: { type: 'object', properties: { from: {}, to: {} }, additionalProperties: false },
  examples: [{ name: { from: 'Shop', to: 'Web shop' } }],
})

export const AuditEntry = Resource('AuditEntry', {
  id: Uuid,
  at: Timestamp,
  actor: Actor,
  action: Type.String({ examples: ['api_key.created'] }),
  target: Target,
  changes: Changes,
  address: Nullable(Type.String({ description: 'The address of the client.', examples: ['192.0.2.1'] })),
  requestId: Nullable(Type.String({ description: 'The `X-Request-Id` of the request.' })),
})

export const AuditPage = Page(AuditEntry)
