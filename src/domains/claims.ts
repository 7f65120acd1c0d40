import type { Db } from '../context.ts'
import { type DomainRow, domainColumns } from './queries.ts'

/** Rows of one name whose records are looked up in one check; more than one would have to share a key. */
const claimantsMax = 3

/** The row of the team that has verified the name, where that is another team. */
export function findHolder(db: Db, { team_id, name }: DomainRow): Promise<DomainRow | undefined> {
  return db
    .selectFrom('domains')
    .select(domainColumns)
    .where('name', '=', name)
    .where('status', '=', 'verified')
    .where('team_id', '!=', team_id)
    .executeTakeFirst()
}

/** Other teams' rows of the name whose key is one of those in DNS, which only the owner of the name can put there. */
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
