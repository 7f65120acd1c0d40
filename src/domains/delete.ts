import { sql } from 'kysely'
import { refuseEnding } from '../api-keys/refuse-greater.ts'
import type { App, Caller, Db, Tx } from '../context.ts'
import { changesBetween, recordChange } from '../platform/audit/record.ts'
import { conflict, notFound } from '../platform/errors.ts'
import { refuseStaleLogin } from '../teams/refuse-stale-login.ts'
import { stopChecks } from './check/check-schedule.ts'

/**
 * Deletes a domain and the API keys restricted to it. Throws `conflict` while it is sending, and `forbidden` if a
 * full_access key would go with it and the person is no owner or admin, or the login is stale. Accepting an email and
 * sending a broadcast lock the domain's row too, so a concurrent one is either seen here or refused there.
 */
export async function deleteDomain(app: App, caller: Caller, id: string): Promise<{ id: string; deleted: true }> {
  const { teamId } = caller
  // A team may have so many emails under way that finding one takes long. A domain that is sending is not locked
  // meanwhile.
  await refuseWhileSending(app.db, teamId, id)
  return app.transaction(async (tx) => {
    const name = await lockForDelete(tx, teamId, id)
    await refuseWhileSending(tx.db, teamId, id)
    await stopChecks(tx, id)
    const keys = await lockKeys(tx, teamId, id)
    for (const key of keys) refuseEnding(caller, key)
    if (keys.some(({ permission }) => permission === 'full_access')) refuseStaleLogin(caller, tx.now)
    const apiKeys = keys.length
    // Before the deletion, since a key of this domain may be the actor, which is named.
    for (const key of keys) {
      await recordChange(tx, {
        teamId,
        action: 'api_key.revoked',
        target: { type: 'api_key', id: key.id, name: key.name },
      })
    }
    const changes = changesBetween({ apiKeys }, { apiKeys: 0 })
    await recordChange(tx, { teamId, action: 'domain.deleted', target: { type: 'domain', id, name }, changes })
    await tx.db.deleteFrom('domains').where('team_id', '=', teamId).where('id', '=', id).execute()
    return { id, deleted: true }
  })
}

async function refuseWhileSending(db: Db, teamId: string, id: string): Promise<void> {
  if (await hasEmailsUnderWay(db, teamId, id)) {
    throw conflict(
      'The domain is sending. Wait for its emails under way, or cancel those that are scheduled, then delete it.',
    )
  }
  if (await hasUnfinishedBroadcasts(db, teamId, id)) {
    throw conflict(
      'The domain has a broadcast that is not finished. Wait for it, or cancel it, then delete the domain.',
    )
  }
}

async function lockForDelete(tx: Tx, teamId: string, id: string): Promise<string> {
  const query = tx.db.selectFrom('domains').select('name').where('team_id', '=', teamId).where('id', '=', id)
  const domain = await query.forUpdate().executeTakeFirstOrThrow(() => notFound('domain'))
  return domain.name
}

/**
 * Lists the keys that go with the domain, and locks them. The plan bounds them. New ones wait for the lock of the
 * domain.
 */
function lockKeys(tx: Tx, teamId: string, domainId: string) {
  return tx.db
    .selectFrom('api_keys')
    .select(['id', 'name', 'permission'])
    .where('team_id', '=', teamId)
    .where('domain_id', '=', domainId)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** The counts know of scheduled emails. All others that are being handed over, or are tried again later, have a job. */
async function hasEmailsUnderWay(db: Db, teamId: string, domainId: string): Promise<boolean> {
  const scheduled = sql`team_id = ${teamId} and domain_id = ${domainId} and status = 'scheduled'`
  const { rows } = await sql<{ isUnderWay: boolean }>`
    select (
      select coalesce(sum(count), 0) > 0 from (
        select count from email_counts where ${scheduled}
        union all
        select change from email_count_changes where ${scheduled}
      ) as counts
    ) or exists (
      select from jobs as job
      cross join lateral (
        select domain_id from emails where team_id = job.team_id and id = left(job.key, 36)::uuid limit 1
      ) as email
      where job.kind in ('emails.deliver', 'emails.deliver-to-domain') and job.team_id = ${teamId}
        and email.domain_id = ${domainId}
    ) as "isUnderWay"
  `.execute(db)
  return rows[0]!.isUnderWay
}

/**
 * Tells whether broadcasts of the domain are unfinished. Drafts do not count; sending one later fails without its
 * domain.
 */
async function hasUnfinishedBroadcasts(db: Db, teamId: string, domainId: string): Promise<boolean> {
  const unfinished = await db
    .selectFrom('broadcasts as broadcast')
    .innerJoin('domains as domain', (join) =>
      join.onRef('domain.team_id', '=', 'broadcast.team_id').onRef('domain.name', '=', 'broadcast.domain_name'),
    )
    .select('broadcast.id')
    .where('broadcast.team_id', '=', teamId)
    .where('domain.id', '=', domainId)
    .where('broadcast.status', 'in', ['scheduled', 'queued', 'sending'])
    .limit(1)
    .executeTakeFirst()
  return unfinished !== undefined
}
