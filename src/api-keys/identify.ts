import { sql } from 'kysely'
import type { App, Caller, Db } from '../context.ts'
import { gatheredFor } from '../platform/gather.ts'
import { hashKey } from './key.ts'
import { noteKeyUse } from './note-use.ts'

/** The form of a key. Longer texts are refused without hashing them. */
const form = /^ph_(test_)?[0-9A-Za-z]{32,100}$/

/**
 * Finds the caller of a key. Null if the key is unknown, deleted or expired. The database is queried on each request, so
 * that a revocation or a change of permission or plan applies in every process at once. Concurrent requests share a query.
 */
export async function identifyApiKey(app: App, key: string): Promise<Caller | null> {
  if (!form.test(key)) return null
  const caller = await findCaller(app, hashKey(key))
  if (caller) noteKeyUse(app, caller)
  return caller
}

const findCaller = gatheredFor((app: App, hashes: Buffer[]) => findCallers(app.db, hashes, app.clock.now()), {
  itemsMax: 200,
  flushesMax: 4,
})

/** Finds the callers of keys, in the order of the hashes. */
async function findCallers(db: Db, hashes: Buffer[], now: Date): Promise<(Caller | null)[]> {
  const rows = await db
    .selectFrom('api_keys')
    .innerJoin('teams', 'teams.id', 'api_keys.team_id')
    .select(['api_keys.key_hash', 'api_keys.id', 'api_keys.team_id as teamId', 'api_keys.permission', 'api_keys.mode'])
    .select([
      'api_keys.domain_id as domainId',
      'api_keys.expires_at as expiresAt',
      'teams.plan',
      'teams.limit_overrides as limitOverrides',
    ])
    .where('teams.deleted_at', 'is', null)
    .where('api_keys.key_hash', '=', sql<Buffer>`any(${hashes}::bytea[])`)
    .where((key) => key.or([key('api_keys.expires_at', 'is', null), key('api_keys.expires_at', '>', now)]))
    .execute()
  const byHash = new Map(rows.map(({ key_hash, ...caller }) => [key_hash.toString('hex'), caller]))
  return hashes.map((hash) => {
    const caller = byHash.get(hash.toString('hex'))
    return caller ? { kind: 'apiKey', ...caller } : null
  })
}
