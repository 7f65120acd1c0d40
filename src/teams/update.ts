import type { App, Caller, Tx } from '../context.ts'
import { changesBetween, recordChange } from '../platform/audit/record.ts'
import { conflict, orNotFound } from '../platform/errors.ts'
import { lockRole } from './members/lock-role.ts'
import { findTeam } from './queries.ts'
import { refuseStaleLogin } from './refuse-stale-login.ts'
import { admins } from './roles/roles.ts'
import { findTwoFactorSecrets } from './two-factor.ts'

type TeamChanges = { name?: string; requireTwoFactor?: boolean }

/**
 * Changes the team. Throws `conflict` if the caller has no second factor and would require one, and `forbidden` if a
 * stale login would require none any more.
 */
export function updateTeam(app: App, caller: Caller, changes: TeamChanges) {
  return app.transaction(async (tx) => {
    await lockRole(tx, caller, admins)
    const team = await orNotFound('team', findTeam(tx.db, caller.teamId))
    if (changes.requireTwoFactor && !team.requireTwoFactor) await refuseWithoutTwoFactor(tx, caller.id)
    if (changes.requireTwoFactor === false && team.requireTwoFactor) refuseStaleLogin(caller, tx.now)
    const { name = team.name, requireTwoFactor = team.requireTwoFactor } = changes
    await tx.db
      .updateTable('teams')
      .set({ name, require_two_factor: requireTwoFactor })
      .where('id', '=', team.id)
      .execute()
    const changed = changesBetween({ name: team.name, requireTwoFactor: team.requireTwoFactor }, changes)
    if (Object.keys(changed).length > 0) {
      const target = { type: 'team', id: team.id, name }
      await recordChange(tx, { teamId: team.id, action: 'team.updated', target, changes: changed })
    }
    return { ...team, name, requireTwoFactor }
  })
}

async function refuseWithoutTwoFactor(tx: Tx, userId: string): Promise<void> {
  const secrets = await findTwoFactorSecrets(tx.db, userId)
  if (secrets?.secret) return
  throw conflict('Set up two-factor for your own account first (POST /auth/2fa/setup). Then require it of the team.')
}
