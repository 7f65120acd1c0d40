import { sql } from 'kysely'
import type { App } from '../context.ts'
import { readTimeRange } from '../platform/http/schema/time-range.ts'
import { isUuid } from '../platform/ids.ts'
import { bytesOf, readPage } from '../platform/pagination.ts'
import type { AuditQuery } from './schema.ts'

type NamedActor = { type: 'user' | 'api_key' | 'operator' | 'system'; id: string | null; name: string }
type NamedTarget = { type: string; id: string; name: string | null }

/** Lists a page of audit entries, newest first. A filter that is a UUID is an id, any other one an exact name. */
export function listAuditEntries(app: App, teamId: string, { limit, cursor, ...filters }: AuditQuery) {
  const { actor, action, target } = filters
  const { from, until } = readTimeRange(filters)
  const rows = app.db
    .selectFrom('audit_entries')
    .select(columns)
    .where('team_id', '=', teamId)
    .$if(actor !== undefined, (rows) => rows.where(isUuid(actor) ? 'actor_id' : 'actor_name', '=', actor!))
    .$if(action !== undefined, (rows) => rows.where('action', '=', action!))
    .$if(target !== undefined, (rows) => rows.where(matchesTarget(target!)))
    .$if(from !== null, (rows) => rows.where('at', '>=', from!))
    .$if(until !== null, (rows) => rows.where('at', '<', until!))
  const options = { limitDefault: 20, newestBy: 'at', bytes: bytesOf('changes', 'target') }
  return readPage(app, { list: 'audit', teamId, filters }, { limit, cursor }, rows, options)
}

/** Ids of targets are UUIDs, or names by themselves, such as phone numbers. */
function matchesTarget(target: string) {
  return isUuid(target)
    ? sql<boolean>`target_id = ${target.toLowerCase()}`
    : sql<boolean>`(target_id = ${target} or target_name = ${target})`
}

const columns = [
  'id',
  'at',
  sql<NamedActor>`jsonb_build_object('type', actor_type, 'id', actor_id, 'name', actor_name)`.as('actor'),
  'action',
  sql<NamedTarget>`jsonb_build_object('type', target_type, 'id', target_id, 'name', target_name)`.as('target'),
  'changes',
  'address',
  'request_id as requestId',
] as const
