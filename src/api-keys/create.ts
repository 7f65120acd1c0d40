import type { App, Caller, Tx } from '../context.ts'
import { newValues, recordChange } from '../platform/audit/record.ts'
import { invalid } from '../platform/errors.ts'
import type { Mode } from '../platform/mode/mode.ts'
import { refuseAnother } from '../teams/bounds/refuse-another.ts'
import { refuseEndedLogin } from '../teams/refuse-ended-login.ts'
import { refuseStaleLogin } from '../teams/refuse-stale-login.ts'
import { type Creator, creatorOf } from './creator.ts'
import { readExpiry } from './expiry.ts'
import { generateKey, hashKey, keyPrefixOf } from './key.ts'
import { refuseGreaterKey } from './refuse-greater.ts'

export type NewApiKey = {
  name: string
  permission: 'full_access' | 'sending_access'
  domainId: string | null
  mode?: Mode
}

/**
 * Creates a key. Only this answer holds the full `key`. Throws `invalid` for a domain the team does not have,
 * `forbidden` if a key would create one with more rights than its own or a user's login is stale for a full_access key,
 * `unprocessable` if the plan's number of keys is reached.
 */
export function createApiKey(
  app: App,
  caller: Caller,
  { expiresAt, ...key }: NewApiKey & { expiresAt: string | null },
) {
  return app.transaction(async (tx) => {
    await refuseEndedLogin(tx, caller)
    const wanted = { ...key, mode: key.mode ?? 'live', expiresAt: readExpiry(expiresAt, tx.now) }
    refuseGreaterKey(caller, wanted)
    if (wanted.permission === 'full_access') refuseStaleLogin(caller, tx.now)
    await refuseAnother(tx, caller.teamId, 'apiKeys')
    return insertApiKey(tx, caller.teamId, { ...wanted, createdBy: await creatorOf(tx, caller) })
  })
}

export async function insertApiKey(
  tx: Tx,
  teamId: string,
  {
    name,
    permission,
    domainId,
    mode = 'live',
    expiresAt = null,
    createdBy = null,
  }: NewApiKey & { expiresAt?: Date | null; createdBy?: Creator | null },
) {
  if (domainId !== null) await refuseUnknownDomain(tx, teamId, domainId)
  const key = generateKey(mode)
  const row = { team_id: teamId, id: tx.newId(), name, permission, mode, domain_id: domainId, created_at: tx.now }
  const creator = {
    created_by_type: createdBy?.type ?? null,
    created_by_id: createdBy?.id ?? null,
    created_by_name: createdBy?.name ?? null,
  }
  const keyPrefix = keyPrefixOf(key, mode)
  await tx.db
    .insertInto('api_keys')
    .values({ ...row, ...creator, expires_at: expiresAt, key_hash: hashKey(key), key_prefix: keyPrefix })
    .execute()
  const target = { type: 'api_key', id: row.id, name }
  const changes = newValues({ mode, permission, domainId, expiresAt })
  await recordChange(tx, { teamId, action: 'api_key.created', target, changes })
  return { id: row.id, name, key, keyPrefix, mode, permission, domainId, expiresAt, createdBy, createdAt: tx.now }
}

async function refuseUnknownDomain(tx: Tx, teamId: string, domainId: string): Promise<void> {
  await tx.db
    .selectFrom('domains')
    .select('id')
    .where('team_id', '=', teamId)
    .where('id', '=', domainId)
    .forKeyShare()
    .executeTakeFirstOrThrow(() => invalid('domainId', 'is not a domain of this team'))
}
