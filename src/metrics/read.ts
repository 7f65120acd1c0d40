import { type RawBuilder, sql } from 'kysely'
import type { App, Caller, Db } from '../context.ts'
import { tagScope } from '../emails/messages/scopes.ts'
import { invalid } from '../platform/errors.ts'
import { nilId } from '../platform/ids.ts'
import { liveTeamOf } from '../platform/mode/mode.ts'
import type { Counted } from './counts.ts'
import { type Points, pointsOf, type Range } from './points.ts'
import { isTagCounted } from './tags.ts'

/** The sums of one point, by column. */
export type Sums = Record<string, number>

/**
 * Returns a figure for each point of a range, and their total. They are exact: the totals by the hour and the changes
 * that are not folded yet are read in one snapshot. The cost depends on the hours, not on the number of messages.
 */
export async function readMetrics<T extends object>(
  app: App,
  caller: Caller,
  counted: Counted,
  { domainId, broadcastId, workflowId, tag, ...range }: Range & Filter,
  present: (sums: Sums) => T,
): Promise<{ data: ({ at: Date } & T)[]; total: T }> {
  const points = pointsOf(range, app.clock.now())
  const scope = await scopeOf(app.db, caller.teamId, { domainId, broadcastId, workflowId, tag })
  const isCounted = tag === undefined ? sql<boolean>`true` : isTagCounted(caller.teamId, scope)
  const sums = await sum(app, caller.teamId, counted, { scope, isCounted }, points)
  const none = Object.fromEntries(counted.columns.map((column) => [column, 0]))
  const total = { ...none }
  for (const point of sums.values()) for (const column of counted.columns) total[column]! += point[column]!
  const data = points.starts.map((at, index) => ({ at, ...present(sums.get(index + 1) ?? none) }))
  return { data, total: present(total) }
}

/** Returns the sums of each point that has any, by its number from 1. */
async function sum(
  app: App,
  teamId: string,
  { table, columns }: Counted,
  { scope, isCounted }: { scope: string; isCounted: RawBuilder<boolean> },
  { starts, end }: Points,
) {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  // Exact up to 2^53, and quicker than the sum of bigint, which is a numeric.
  const all = sql.join(columns.map((column) => sql`sum(${sql.ref(column)}::float8) as ${sql.ref(column)}`))
  const within = sql`team_id = ${teamId} and hour >= ${starts[0]} and hour < ${end}`
  const { rows } = await sql<Sums & { point: number }>`
    select width_bucket(hour, ${starts}::timestamptz[]) as point, ${all}
    from (
      select hour, ${names} from ${sql.table(`${table}_metrics`)} where ${within} and scope = ${scope}
      union all
      select hour, ${names} from ${sql.table(`${table}_metric_changes`)} where ${within} and ${scope} = any(scopes) and ${isCounted}
    ) as counts
    group by 1
  `.execute(app.db)
  return new Map(rows.map((row) => [row.point, row]))
}

type Filter = {
  domainId?: string | undefined
  broadcastId?: string | undefined
  workflowId?: string | undefined
  tag?: string | undefined
}

const tables = { domainId: 'domains', broadcastId: 'broadcasts', workflowId: 'workflows' } as const

/**
 * Returns the scope that a filter asks for; that of the team without a filter. Throws `invalid` for an id that the team
 * does not have (a test key shares domains and workflows with the live ones), for a tag that is not `name:value`, and
 * for several filters: figures are kept for each alone, not for combinations.
 */
async function scopeOf(db: Db, teamId: string, filter: Filter): Promise<string> {
  const given = Object.entries(filter).filter((entry): entry is [keyof Filter, string] => entry[1] !== undefined)
  const [first, second] = given
  if (!first) return nilId
  if (second) throw invalid(second[0], `cannot be combined with "${first[0]}". Ask for one filter at a time.`)
  const [name, value] = first
  if (name === 'tag') {
    if (!value.includes(':')) throw invalid('tag', `must be name:value, such as order:1024; it was "${value}"`)
    return tagScope(value)
  }
  const owner = name === 'broadcastId' ? teamId : liveTeamOf(teamId)
  const { rows } = await sql`
    select from ${sql.table(tables[name])} where team_id in (${teamId}, ${owner}) and id = ${value}
  `.execute(db)
  if (rows.length === 0) throw invalid(name, `is not one of the ${tables[name]} of this team; it was "${value}"`)
  return value.toLowerCase()
}
