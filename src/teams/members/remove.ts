import type { App, Caller } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { notFound } from '../../platform/errors.ts'
import { publish } from '../../platform/events.ts'
import { admins, roles } from '../roles/table.ts'
import { lockRole } from './lock-role.ts'
import { deleteMember, findMember } from './queries.ts'
import { refuseLastOwner, refuseOwnersRoles } from './refuse.ts'

/**
 * Removes a member, or lets the caller leave. The member's sessions in the team end. Throws `forbidden` if the caller may not,
 * `conflict` for the last owner.
 */
export function removeMember(app: App, caller: Caller, userId: string) {
  const { teamId } = caller
  const leaves = userId.toLowerCase() === caller.id
  return app.transaction(async (tx) => {
    const own = await lockRole(tx, caller, leaves ? roles : admins)
    const member = await findMember(tx.db, teamId, userId)
    if (!member) throw notFound('member')
    refuseOwnersRoles(own, [member.role])
    if (member.role === 'owner') await refuseLastOwner(tx, teamId)
    await deleteMember(tx, teamId, userId)
    await publish(tx, [{ type: 'team.member_changed', teamId, data: { userId: member.userId, role: null } }])
    await recordChange(tx, {
      ...{ teamId, action: leaves ? 'member.left' : 'member.removed' },
      target: { type: 'member', id: member.userId, name: member.email },
      changes: { role: { from: member.role, to: null } },
    })
    return { id: member.userId, deleted: true as const }
  })
}
