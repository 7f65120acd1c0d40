import { sql } from 'kysely'
import type { App, Tx } from '../context.ts'
import type { Schedule } from '../platform/jobs/job.ts'
import { hurryJobsOfKind } from '../platform/jobs/waiting-jobs.ts'
import { perApp } from '../platform/per-app.ts'
import type { RemovalInTeam, SurplusRemoval } from '../platform/retention/removal.ts'
import { hurryRemovals } from '../teams/retention/hurry-removals.ts'
import { removeInTeamJob } from '../teams/retention/jobs.ts'
import { defaultRetention } from '../teams/retention/retention.ts'
import { keepsAll } from './remove-in-team.ts'

/** Teams that get their job in one run. The next run, ten seconds later, adds the next ones. */
const teamsMax = 5000

const lookedOf = perApp(() => ({ before: false }))

/**
 * Gives each team that has old data to remove its job. The first look of a process makes all passes begin now, since
 * the defaults may have changed with its start.
 */
export function lookForTeams(removals: RemovalInTeam[]): Schedule {
  const ofSurplus = removals.filter((removal): removal is SurplusRemoval => removal.days === null)
  return {
    kind: 'retention.look',
    everyMs: 10_000,
    async run(app: App) {
      const looked = lookedOf(app)
      await app.transaction(async (tx) => {
        if (!looked.before) {
          await hurryJobsOfKind(tx, removeInTeamJob)
          for (const { findTeams } of ofSurplus) await hurryRemovals(tx, await findTeams(tx))
        }
        await hurryRemovals(tx, await findTeamsWithoutJob(tx, !keepsAll(defaultRetention(app.config))))
      })
      looked.before = true
    },
  }
}

/** Finds living teams without a job: all of them, or those that made a choice of their own, each with its test team. */
async function findTeamsWithoutJob(tx: Tx, all: boolean): Promise<string[]> {
  const from = all
    ? sql`select id from teams`
    : sql`
        select distinct unnest(array[team_id, test_team_of(team_id)]) as id
        from team_retention, jsonb_each(choices) as choice where value <> 'null'
      `
  const { rows } = await sql<{ id: string }>`
    select id from (${from}) as team
    where exists (select from teams where id = team.id and deleted_at is null)
      and not exists (select from jobs where kind = ${removeInTeamJob.kind} and key = team.id::text)
    limit ${teamsMax}
  `.execute(tx.db)
  return rows.map(({ id }) => id)
}
