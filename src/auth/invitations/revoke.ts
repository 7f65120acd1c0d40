import type { App, Caller } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { notFound } from '../../platform/errors.ts'
import { lockRole } from '../../teams/members/lock-role.ts'
import { refuseOwnersRoles } from '../../teams/members/refuse.ts'
import { admins } from '../../teams/roles/roles.ts'
import { deleteInvitation, invitationsOf } from './queries.ts'

/** Ends an invitation and its links. Throws `forbidden` if an admin revokes the invitation of an owner. */
export function revokeInvitation(app: App, caller: Caller, id: string) {
  const { teamId } = caller
  return app.transaction(async (tx) => {
    const own = await lockRole(tx, caller, admins)
    const invitation = await invitationsOf(tx.db, teamId, tx.now)
      .where('invitation.id', '=', id)
      .executeTakeFirstOrThrow(() => notFound('invitation'))
    refuseOwnersRoles(own, [invitation.role])
    await deleteInvitation(tx, teamId, id)
    const target = { type: 'invitation', id: invitation.id, name: invitation.email }
    await recordChange(tx, { teamId, action: 'invitation.revoked', target })
    return { id: invitation.id, deleted: true as const }
  })
}
