import { sql } from 'kysely'
import type { App, Caller, Db } from '../context.ts'
import { gatheredFor } from '../platform/transaction/gather.ts'
import { hashKey } from './key.ts'
import { keyUses } from './note-use.ts'

/** The form of a key. Longer texts are refused without hashing them. */
const form = /^ph_(test_)?[0-9A-Za-z]{32,100}$/

/**
 * Finds the caller of a key. Null if the key is unknown, deleted or expired. The database is queried on each request,
 * so that a revocation or a change of permission or plan applies in every process at once. Concurrent requests share a
 * query.
 */
export async function identifyApiKey(app: App, key: string): Promise<Caller | null> {
  if (!form.test(key)) return null
  const caller = await findCaller(app, hashKey(key))
  if (caller) keyUses.note(app, { teamId: caller.teamId, id: caller.id })
  return caller
}

const findCaller = gatheredFor((app: App, hashes: Buffer[]) => findCallers(app.db, hashes, app.clock.now()), {
  itemsMax: 200,
  flushesMax: 4,
})

/** Finds the callers of keys, in the order of the hashes. */
async function findCallers(db: Db, hashes: Buffer[], now: Date): Promise<(Caller | null)[]> {
  const { rows } = await sql<Omit<Caller, 'kind'> & { hash: Buffer }>`
    select key_hash as hash, key.id, key.team_id as "teamId", permission, mode, domain_id as "domainId", expires_at as "expiresAt",
      plan, limit_overrides as "limitOverrides"
    from api_keys as key join teams as team on team.id = key.team_id
    where key_hash = any(${hashes}::bytea[]) and (expires_at is null or expires_at > ${now}) and team.deleted_at is null
  `.execute(db)
  const byHash = new Map(rows.map(({ hash, ...caller }) => [hash.toString('hex'), caller]))
  return hashes.map((hash) => {
    const caller = byHash.get(hash.toString('hex'))
    return caller ? { kind: 'apiKey', ...caller } : null
  })
}
