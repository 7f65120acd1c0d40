import { sql } from 'kysely'
import { plans } from '../../billing/plans.ts'
import { rateOfZone, unitsPerDollar, zones } from '../../billing/rate-card.ts'
import type { App, Tx } from '../../context.ts'
import { enqueueJobs } from '../../platform/jobs/enqueue.ts'
import type { Schedule } from '../../platform/jobs/job.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { dayOf } from '../../platform/time/clock.ts'
import { sendSystemMailLaterJob } from '../jobs.ts'
import { type LimitName, limitNames } from './limit.ts'

/** Teams of one commit. */
const pageSize = 500

/**
 * Orders a warning for each team that has used 80 % of a limit of the day, and another at 100 %, each once a day. A
 * schedule rather than an event of the send, so that sending costs nothing more. Without a team to warn a run is one
 * query.
 */
export const watchLimits: Schedule = {
  kind: 'system-mail.watch-limits',
  everyMs: 60_000,
  async run(app) {
    if (app.config.systemFrom === null) return
    for (;;) {
      const day = dayOf(app.clock.now())
      const near = await findNear(app, day)
      if (near.length > 0) await app.transaction((tx) => warn(tx, day, near))
      if (near.length < pageSize) return
    }
  },
}

type Near = { teamId: string; name: LimitName; percent: number }

/** The most expensive message. The limit of spend is reached when it does not fit any more. */
const dearestDollars = Math.max(...zones.map(rateOfZone)) / unitsPerDollar
const limitsOfPlans = Object.entries(plans).flatMap(([plan, { limits }]) =>
  limitNames.map((name) => ({ plan, name, max: limits[name] })),
)

async function findNear({ db }: Pick<App, 'db'>, day: string): Promise<Near[]> {
  const { rows } = await sql<Near>`
    select near.* from (
      select team.id as "teamId", used.name, case when used.used + used.next > most then 100 else 80 end as percent
      from (
        select team_id, 'dailyEmailLimit' as name, emails_today::float8 as used, 1 as next
        from email_usage where day = ${day}
        union all
        select team_id, 'dailySmsLimit', messages_today, 1 from sms_usage where day = ${day}
        union all
        select team_id, 'dailySmsSpendLimit', spend_units_today::float8 / ${unitsPerDollar}::float8, ${dearestDollars}::float8
        from sms_usage where day = ${day}
      ) as used
      join teams as team on team.id = used.team_id and team.deleted_at is null
      join ${rowsOf(limitsOfPlans, { plan: 'text', name: 'text', max: 'float8' }).as('plan')}
        on plan.plan = team.plan and plan.name = used.name
      cross join lateral coalesce((team.limit_overrides ->> used.name)::float8, plan.max) as most
      where most > 0 and used.used >= 0.8 * most
    ) as near
    where not exists (
      select from limit_warnings as warned
      where warned.team_id = near."teamId" and warned.limit_name = near.name and warned.day = ${day}
        and warned.percent >= near.percent
    )
    limit ${pageSize}
  `.execute(db)
  return rows
}

/** Notes warnings and orders their mail in one commit. A warning that another process noted meanwhile is left out. */
async function warn(tx: Tx, day: string, near: Near[]): Promise<void> {
  const { rows } = await sql<Near>`
    insert into limit_warnings as warned (team_id, limit_name, day, percent)
    select team_id, name, ${day}::date, percent
    from ${rowsOf(near, { teamId: 'uuid', name: 'text', percent: 'smallint' }).as('near')}
    where exists (select from teams where id = near.team_id and deleted_at is null)
    order by team_id, name
    on conflict (team_id, limit_name) do update set day = excluded.day, percent = excluded.percent
      where warned.day < excluded.day or (warned.day = excluded.day and warned.percent < excluded.percent)
    returning team_id as "teamId", limit_name as name, percent
  `.execute(tx.db)
  await enqueueJobs(
    tx,
    sendSystemMailLaterJob,
    rows.map(({ teamId, name, percent }) => ({
      key: `limit ${teamId} ${name} ${percent} ${day}`,
      payload: { about: 'limit', teamId, limit: name, percent },
    })),
  )
}
