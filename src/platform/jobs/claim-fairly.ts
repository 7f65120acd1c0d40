import { sql } from 'kysely'
import type { App, Db } from '../../context.ts'
import { nilId } from '../ids.ts'
import { createTally } from '../limits/tally.ts'
import { rowsOf } from '../sql/sql-rows.ts'
import { type Capacity, leaseJobs, ofLivingTeam } from './claim.ts'
import type { TeamJob, UnkeyedJob } from './job.ts'

/** Only jobs of teams can be claimed fairly. */
type FairJob = TeamJob | UnkeyedJob

/** Claims due jobs of one kind, from one team after the other. */
type FairTurns = {
  claim(app: App, capacity: Capacity, leaseToken: string): Promise<FairJob[]>
  /** Counts a claimed job as running; call the returned function when it has ended. */
  enter(job: FairJob): () => void
}

/** The most teams that one statement examines; the next statement continues after them. */
const teamsMax = 500
/** While fewer jobs are due, they are read themselves, and teams whose jobs wait cost nothing. */
const fewDue = 100
/** The most statements of one claim, needed if the earlier ones find only teams that run as many jobs as they may. */
const looksMax = 10
const firstTurn = nilId

/**
 * Shares the free slots evenly among the teams, so that a team with a hundred thousand jobs delays no other. A team
 * uses at most as many slots as it leaves free, so that the next team always finds one. Needs an index `on jobs
 * (team_id, run_at) where kind = '<kind>'`, or the kind in that of `jobs_fair`, on which it steps from team to team. If
 * many jobs of a kind wait for a distant time, they should have another kind: while many are due, every team in the
 * index is looked at.
 */
export function fairTurns(): FairTurns {
  const held = createTally()
  /** The team whose turn was last. */
  let after = firstTurn

  return {
    async claim(app, capacity, leaseToken) {
      for (let looks = 1; ; looks++) {
        const { jobs, isRound } = await claimOfNext(app, capacity, leaseToken)
        if (jobs.length > 0 || isRound || looks === looksMax) return jobs
      }
    },
    enter({ teamId }) {
      held.add(teamId, 1)
      return () => held.add(teamId, -1)
    },
  }

  /** `isRound`: every team that has jobs was examined. */
  async function claimOfNext(app: App, { kind, free }: Capacity, leaseToken: string) {
    const { looked, teams } = await findDueTeams(app.db, app.clock.now(), kind, after)
    const share = Math.ceil(free / teams.length)
    const wanted = teams.flatMap((id) => {
      const count = Math.min(share, Math.ceil((free - held.of(id)) / 2))
      return count > 0 ? [{ id, count }] : []
    })
    const jobs = wanted.length === 0 ? [] : await claimFrom(app, { kind, free }, wanted, leaseToken)
    const got = new Set(jobs.map(({ teamId }) => teamId))
    after = (jobs.length < free ? looked.at(-1) : teams.findLast((id) => got.has(id))) ?? after
    return { jobs, isRound: looked.length < teamsMax }
  }
}

type Looked = { looked: string[]; teams: string[] }

/** Finds the teams with due jobs, from the one whose turn is next to the one whose turn was last. */
async function findDueTeams(db: Db, now: Date, kind: string, after: string): Promise<Looked> {
  const { rows } = await sql<{ id: string }>`
    select team_id as id from jobs where kind = ${sql.lit(kind)} and run_at <= ${now} and ${ofLivingTeam}
    order by run_at limit ${fewDue}
  `.execute(db)
  if (rows.length === fewDue) return walkTeams(db, now, kind, after)
  const ids = [...new Set(rows.map(({ id }) => id))].sort()
  const teams = [...ids.filter((id) => id > after), ...ids.filter((id) => id <= after)]
  return { looked: teams, teams }
}

/** Steps through the teams that have jobs, due or not. */
async function walkTeams(db: Db, now: Date, kind: string, after: string): Promise<Looked> {
  const ofKind = sql`kind = ${sql.lit(kind)}`
  const { rows } = await sql<{ id: string; isDue: boolean }>`
    with recursive team (id, looked, lap) as (
      select ${after}::uuid, 0, 1
      union all
      select coalesce(next.id, ${firstTurn}::uuid), looked + 1, case when next.id is null then 2 else lap end
      from team left join lateral (
        select team_id as id from jobs where ${ofKind} and team_id > team.id order by team_id limit 1
      ) as next on true
      where looked < ${teamsMax} and (lap = 1 or next.id <= ${after}::uuid)
    )
    select id, exists (
      select from jobs where ${ofKind} and team_id = team.id and run_at <= ${now} and ${ofLivingTeam}
    ) as "isDue"
    from team where looked > 0 and id <> ${firstTurn}::uuid
  `.execute(db)
  return { looked: rows.map(({ id }) => id), teams: rows.filter(({ isDue }) => isDue).map(({ id }) => id) }
}

type Wanted = { id: string; count: number }

function claimFrom(app: App, { kind, free }: Capacity, wanted: Wanted[], leaseToken: string): Promise<FairJob[]> {
  const now = app.clock.now()
  const due = sql`
    select job.id
    from ${rowsOf(wanted, { id: 'uuid', count: 'int' }).as('team')}
    cross join lateral (
      select jobs.id from jobs where kind = ${sql.lit(kind)} and team_id = team.id and run_at <= ${now} and ${ofLivingTeam}
      order by run_at limit team.count for update skip locked
    ) as job
    limit ${free}
  `
  return leaseJobs(app, now, leaseToken, due)
}
