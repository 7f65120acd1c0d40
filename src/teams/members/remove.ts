import type { App, Caller } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { orNotFound } from '../../platform/errors.ts'
import { publish } from '../../platform/events.ts'
import { refuseStaleLogin } from '../refuse-stale-login.ts'
import { admins, everybody } from '../roles/roles.ts'
import { listKeysBeyond } from './keys-beyond.ts'
import { lockRole } from './lock-role.ts'
import { deleteMember, findMember } from './queries.ts'
import { refuseLastOwner, refuseOwnersRoles } from './refuse.ts'

/**
 * Removes a member, or lets the caller leave. The member's sessions in the team end, the keys that the member made
 * are listed and stay. Throws `forbidden` if the caller may not,
 * and if a stale login would remove an owner or admin, `conflict` for the last owner.
 */
export function removeMember(app: App, caller: Caller, userId: string) {
  const { teamId } = caller
  const leaves = userId === caller.id
  return app.transaction(async (tx) => {
    const own = await lockRole(tx, caller, leaves ? everybody : admins)
    const member = await orNotFound('member', findMember(tx.db, teamId, userId))
    refuseOwnersRoles(own, [member.role])
    if (admins.includes(member.role)) refuseStaleLogin(caller, tx.now)
    if (member.role === 'owner') await refuseLastOwner(tx, teamId)
    await deleteMember(tx, teamId, userId)
    await publish(tx, [{ type: 'team.member_changed', teamId, data: { userId: member.userId, role: null } }])
    await recordChange(tx, {
      ...{ teamId, action: leaves ? 'member.left' : 'member.removed' },
      target: { type: 'member', id: member.userId, name: member.email },
      changes: { role: { from: member.role, to: null } },
    })
    const apiKeys = await listKeysBeyond(tx, { teamId, userId: member.userId, role: null })
    return { id: member.userId, deleted: true as const, ...(apiKeys.length > 0 && { apiKeys }) }
  })
}
