import type { App, Tx } from '../context.ts'
import { invalid } from '../platform/errors.ts'
import { refuseAnother } from '../teams/bounds/refuse-another.ts'
import { generateKey, hashKey, prefixLength } from './key.ts'

export type NewApiKey = { name: string; permission: 'full_access' | 'sending_access'; domainId: string | null }

/**
 * Makes a key. The full `key` is in this answer and nowhere else. Throws `invalid` for a domain the team does not have, and
 * `unprocessable` where the plan has no room for another key.
 */
export function createApiKey(app: App, teamId: string, key: NewApiKey) {
  return app.transaction(async (tx) => {
    await refuseAnother(tx, teamId, 'apiKeys')
    return insertApiKey(tx, teamId, key)
  })
}

export async function insertApiKey(tx: Tx, teamId: string, { name, permission, domainId }: NewApiKey) {
  if (domainId !== null) await refuseUnknownDomain(tx, teamId, domainId)
  const key = generateKey()
  const row = { team_id: teamId, id: tx.newId(), name, permission, domain_id: domainId, created_at: tx.now }
  const keyPrefix = key.slice(0, prefixLength)
  await tx.db
    .insertInto('api_keys')
    .values({ ...row, key_hash: hashKey(key), key_prefix: keyPrefix })
    .execute()
  return { id: row.id, name, key, keyPrefix, permission, domainId, createdAt: tx.now }
}

async function refuseUnknownDomain(tx: Tx, teamId: string, domainId: string): Promise<void> {
  const domain = await tx.db
    .selectFrom('domains')
    .select('id')
    .where('team_id', '=', teamId)
    .where('id', '=', domainId)
    .forKeyShare()
    .executeTakeFirst()
  if (!domain) throw invalid('domainId', 'is not a domain of this team')
}
