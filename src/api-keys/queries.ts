import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { App, Caller, Db } from '../context.ts'
import { type PageQuery, readPage } from '../platform/pagination.ts'
import type { Creator } from './creator.ts'

/**
 * The keys a caller may see. A key that is restricted to a domain sees the keys of that domain only, and a test key
 * test keys.
 */
export type KeyScope = Pick<Caller, 'teamId' | 'domainId' | 'mode'>

/** The condition on `api_keys` that a caller may see the key. */
export function isVisible({ teamId, domainId, mode }: KeyScope): RawBuilder<SqlBool> {
  return sql<SqlBool>`
    api_keys.team_id = ${teamId} and (${domainId}::uuid is null or api_keys.domain_id = ${domainId})
      and (${mode} = 'live' or api_keys.mode = 'test')
  `
}

/** Lists a page of keys, newest first. */
export function listKeysOfTeam(app: App, scope: KeyScope, query: PageQuery) {
  const { teamId, domainId, mode } = scope
  const rows = app.db
    .selectFrom('api_keys')
    .leftJoin('domains', (join) =>
      join.onRef('domains.team_id', '=', 'api_keys.team_id').onRef('domains.id', '=', 'api_keys.domain_id'),
    )
    .select(apiKeyColumns)
    .select(['domains.name as domainName', 'api_keys.last_used_at as lastUsedAt'])
    .where(isVisible(scope))
  return readPage(app, { list: 'api keys', teamId, filters: { domainId, mode } }, query, rows)
}

export function findApiKey(db: Db, scope: KeyScope, id: string) {
  const keys = db.selectFrom('api_keys').select(apiKeyColumns)
  return keys.where(isVisible(scope)).where('id', '=', id).executeTakeFirst()
}

/** Null for keys older than this column. */
const createdBy = sql<Creator | null>`
  case when api_keys.created_by_type is not null then
    jsonb_build_object('type', api_keys.created_by_type, 'id', api_keys.created_by_id, 'name', api_keys.created_by_name)
  end
`.as('createdBy')

export const apiKeyColumns = [
  'api_keys.id',
  'api_keys.name',
  'api_keys.key_prefix as keyPrefix',
  'api_keys.mode',
  'api_keys.permission',
  'api_keys.domain_id as domainId',
  'api_keys.expires_at as expiresAt',
  createdBy,
  'api_keys.created_at as createdAt',
] as const
