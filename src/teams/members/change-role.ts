import type { App, Caller, Role } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { orNotFound } from '../../platform/errors.ts'
import { publish } from '../../platform/events.ts'
import { refuseStaleLogin } from '../refuse-stale-login.ts'
import { admins } from '../roles/roles.ts'
import { type KeyBeyond, listKeysBeyond } from './keys-beyond.ts'
import { lockRole } from './lock-role.ts'
import { findMember, updateRole } from './queries.ts'
import { refuseLastOwner, refuseOwnersRoles } from './refuse.ts'
import type { Member } from './schema.ts'

/** `apiKeys` is there if there are any. */
type ChangedMember = Member & { apiKeys?: KeyBeyond[] }

/**
 * Changes a member's role, from the member's next request, and lists the member's keys that may do more. Throws
 * `forbidden` if an admin would make or change an owner, or a stale login an owner or admin, `conflict` for the last
 * owner.
 */
export function changeRole(app: App, caller: Caller, userId: string, role: Role): Promise<ChangedMember> {
  const { teamId } = caller
  return app.transaction(async (tx) => {
    const own = await lockRole(tx, caller, admins)
    const member = await orNotFound('member', findMember(tx.db, teamId, userId))
    refuseOwnersRoles(own, [member.role, role])
    if (member.role === role) return member
    if ([member.role, role].some((one) => admins.includes(one))) {
      refuseStaleLogin(caller, tx.now)
    }
    if (member.role === 'owner') await refuseLastOwner(tx, teamId)
    await updateRole(tx, teamId, userId, role)
    await publish(tx, [{ type: 'team.member_changed', teamId, data: { userId, role } }])
    if (role === 'owner') await publish(tx, [{ type: 'team.owner_added', teamId, data: { userId } }])
    await recordChange(tx, {
      ...{ teamId, action: 'member.role_changed' },
      target: { type: 'member', id: userId, name: member.email },
      changes: { role: { from: member.role, to: role } },
    })
    const apiKeys = await listKeysBeyond(tx, { teamId, userId, role })
    return { ...member, role, ...(apiKeys.length > 0 && { apiKeys }) }
  })
}
