import type { App, Caller, Tx } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { conflict, invalid, orNotFound } from '../../platform/errors.ts'
import { enqueueJobs } from '../../platform/jobs/enqueue.ts'
import { testTeamOf } from '../../platform/mode/mode.ts'
import { lockRole } from '../members/lock-role.ts'
import { findTeam } from '../queries.ts'
import { owners } from '../roles/roles.ts'
import { removeTeamJob } from './jobs.ts'

/**
 * Deletes the team. Its keys, sessions and jobs stop with the commit; a job then removes its rows. `confirm` must be
 * its name. Throws `conflict` while a paid subscription lives, and for the team of system mail.
 */
export function deleteTeam(app: App, caller: Caller, confirm: string): Promise<{ id: string; deleted: true }> {
  const { teamId: id } = caller
  return app.transaction(async (tx) => {
    await lockRole(tx, caller, owners)
    const team = await orNotFound('team', findTeam(tx.db, id))
    if (confirm !== team.name) throw invalid('confirm', `must be the name of the team, ${JSON.stringify(team.name)}`)
    await endTeam(tx, app, team, caller.id)
    return { id, deleted: true }
  })
}

/** Ends a team whose people are locked, for an owner. Throws `conflict` as `deleteTeam` does. */
export async function endTeam(
  tx: Tx,
  app: App,
  { id, name }: { id: string; name: string },
  userId: string,
): Promise<void> {
  await refuseWhileNeeded(tx, app, { id, name })
  await tx.db
    .updateTable('teams')
    .set({ deleted_at: tx.now })
    .where('id', 'in', [id, testTeamOf(id)])
    .execute()
  await tx.db.deleteFrom('team_members').where('team_id', '=', id).execute()
  await recordChange(tx, { teamId: id, action: 'team.deleted', target: { type: 'team', id, name } })
  await enqueueJobs(tx, removeTeamJob, [{ key: id }])
  // The audit log of the team goes with it.
  tx.afterCommit(() => app.log.info({ team: id, user: userId }, 'a team was deleted by its owner'))
}

async function refuseWhileNeeded(
  tx: Tx,
  { config, payments }: App,
  { id, name }: { id: string; name: string },
): Promise<void> {
  if (config.systemTeam === id) {
    throw conflict(`The team ${name} sends the mail of the installation. Name another one in SYSTEM_TEAM first.`)
  }
  const paid = await tx.db
    .selectFrom('payment_accounts')
    .select('provider')
    .where('team_id', '=', id)
    // A subscription of another provider can neither be seen nor cancelled.
    .where('provider', '=', payments.name)
    .where('subscription_id', 'is not', null)
    .executeTakeFirst()
  if (paid)
    throw conflict(`The team ${name} has a paid subscription. Cancel it, and delete the team once it has ended.`)
}
