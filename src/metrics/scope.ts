import { sql } from 'kysely'
import type { Db } from '../context.ts'
import { tagScope } from '../emails/messages/scopes.ts'
import { invalid } from '../platform/errors.ts'
import { nilId } from '../platform/ids.ts'
import { liveTeamOf } from '../platform/mode/mode.ts'

export type Filter = {
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
export async function scopeOf(db: Db, teamId: string, filter: Filter): Promise<string> {
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
