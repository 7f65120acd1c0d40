import type { App, Db } from '../context.ts'
import { type PageQuery, readPage } from '../platform/pagination.ts'

/** Newest first. */
export function listKeysOfTeam(app: App, teamId: string, query: PageQuery) {
  const rows = app.db
    .selectFrom('api_keys')
    .leftJoin('domains', (join) =>
      join.onRef('domains.team_id', '=', 'api_keys.team_id').onRef('domains.id', '=', 'api_keys.domain_id'),
    )
    .select(['api_keys.id', 'api_keys.name', 'api_keys.key_prefix as keyPrefix', 'api_keys.permission'])
    .select(['api_keys.domain_id as domainId', 'domains.name as domainName'])
    .select(['api_keys.last_used_at as lastUsedAt', 'api_keys.created_at as createdAt'])
    .where('api_keys.team_id', '=', teamId)
  return readPage(app, { list: 'api keys', teamId }, query, rows)
}

export function findApiKey(db: Db, teamId: string, id: string) {
  return db
    .selectFrom('api_keys')
    .select(apiKeyColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export const apiKeyColumns = [
  'id',
  'name',
  'key_prefix as keyPrefix',
  'permission',
  'domain_id as domainId',
  'created_at as createdAt',
] as const
