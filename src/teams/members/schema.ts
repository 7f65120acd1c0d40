import Type from 'typebox'
import { Nullable, NullableTimestamp, Page, Strict, TextEnum, Timestamp, Uuid } from '../../platform/http/schema.ts'

export const RoleName = TextEnum('owner', 'admin', 'developer', 'marketer', 'viewer')

export const MemberParams = Strict({ userId: Uuid })

export const MemberChanges = Strict({ role: RoleName })

export const Member = Type.Object({
  userId: Uuid,
  email: Type.String({ examples: ['ada@example.com'] }),
  name: Nullable(Type.String({ examples: ['Ada Lovelace'] })),
  role: RoleName,
  twoFactorEnabled: Type.Boolean(),
  lastSeenAt: NullableTimestamp,
  createdAt: Timestamp,
})

export const MemberList = Page(Member)
