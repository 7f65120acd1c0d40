import Type from 'typebox'
import {
  Deleted,
  Nullable,
  NullableTimestamp,
  Page,
  Strict,
  TextEnum,
  Timestamp,
  Uuid,
} from '../../platform/http/schema/schema.ts'

export const RoleName = TextEnum('owner', 'admin', 'developer', 'marketer', 'viewer')

export const MemberParams = Strict({ userId: Uuid })

export const MemberChanges = Strict({ role: RoleName })

const memberFields = {
  userId: Uuid,
  email: Type.String({ examples: ['ada@example.com'] }),
  name: Nullable(Type.String({ examples: ['Ada Lovelace'] })),
  role: RoleName,
  twoFactorEnabled: Type.Boolean(),
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

export const Member = Type.Object(memberFields)

export const ChangedMember = Type.Object({ ...memberFields, apiKeys })

export const RemovedMember = Type.Object({ ...Deleted.properties, apiKeys })

export const MemberList = Page(Member)
