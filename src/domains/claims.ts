import type { Db } from '../context.ts'
import { type DomainRow, domainColumns } from './queries.ts'

/** Limits the lookups of one check. Several claimants of a name occur only if they share a key. */
const claimantsMax = 3

/** The row of another team that has verified the name. */
export function findHolder(db: Db, { team_id, name }: DomainRow): Promise<DomainRow | undefined> {
  return db
    .selectFrom('domains')
    .select(domainColumns)
    .where('name', '=', name)
    .where('status', '=', 'verified')
    .where('team_id', '!=', team_id)
    .executeTakeFirst()
}

/** Other teams' rows of the name whose key is in DNS. Only the owner of the name can publish a key. */
export function findClaimants(db: Db, { team_id, name }: DomainRow, publishedKeys: string[]): Promise<DomainRow[]> {
  if (publishedKeys.length === 0) return Promise.resolve([])
  return db
    .selectFrom('domains')
    .select(domainColumns)
    .where('name', '=', name)
    .where('team_id', '!=', team_id)
    .where('dkim_public_key', 'in', publishedKeys)
    .orderBy('updated_at', 'desc')
    .limit(claimantsMax)
    .execute()
}
