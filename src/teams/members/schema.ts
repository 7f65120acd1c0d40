import Type, { type Static } from 'typebox'
import {
  Body,
  Deleted,
  IdOf,
  Nullable,
  NullableTimestamp,
  Page,
  Resource,
  Strict,
  TextEnum,
  Timestamp,
  Uuid,
} from '../../platform/http/schema/schema.ts'

export const RoleName = TextEnum('owner', 'admin', 'developer', 'marketer', 'viewer')

export const MemberParams = Strict({ userId: IdOf('the member') })

export const MemberChanges = Body('MemberChanges', { role: RoleName })

const memberFields = {
  userId: Uuid,
  email: Type.String({ examples: ['ada@example.com'] }),
  name: Nullable(Type.String({ examples: ['Ada Lovelace'] })),
  role: RoleName,
  twoFactorEnabled: Type.Boolean(),
  /** When a session of the member in this team was last used. */
  lastSeenAt: NullableTimestamp,
  createdAt: Timestamp,
}

const apiKeys = Type.Optional(
  Type.Array(
    Type.Object({
      id: Uuid,
      name: Type.String({ examples: ['Shop'] }),
      permission: TextEnum('full_access', 'sending_access'),
    }),
    {
      description:
        'The API keys that the member made and that may do more than the role from now on, with those that these keys made. They go on working. Left out if there are none.',
    },
  ),
)

export const Member = Resource('Member', memberFields)
export type Member = Static<typeof Member>

export const ChangedMember = Resource('ChangedMember', { ...memberFields, apiKeys }, { 'x-extends': 'Member' })

export const RemovedMember = Resource('RemovedMember', { ...Deleted.properties, apiKeys })

export const MemberList = Page(Member)
