import type { App, Caller, Tx } from '../context.ts'
import { recordUpdate } from '../platform/audit/record.ts'
import { orNotFound } from '../platform/errors.ts'
import { refuseStaleLogin } from '../teams/refuse-stale-login.ts'
import { readExpiry } from './expiry.ts'
import { apiKeyColumns, isVisible, type KeyScope } from './queries.ts'
import { type Rights, refuseEnding, refuseGreaterKey } from './refuse-greater.ts'

type ApiKeyChanges = {
  name?: string
  permission?: 'full_access' | 'sending_access'
  expiresAt?: string | null
}

/**
 * Changes a key. The changes apply from its next request. Throws `forbidden` if a key would give this one more rights
 * than its own, if a user's login is stale for a full_access key, or if the person is no owner or admin and would lower
 * one. Any visible key may be renamed.
 */
export function updateApiKey(app: App, caller: Caller, id: string, { expiresAt, ...changes }: ApiKeyChanges) {
  return app.transaction(async (tx) => {
    const key = await orNotFound('API key', findRightsForUpdate(tx, caller, id))
    const { name, permission = key.permission } = changes
    const end = expiresAt === undefined ? key.expiresAt : readExpiry(expiresAt, tx.now)
    if (permission !== key.permission) refuseEnding(caller, key)
    const isRaised = changes.permission === 'full_access' || expiresAt !== undefined
    if (isRaised) refuseGreaterKey(caller, { permission, mode: key.mode, domainId: key.domainId, expiresAt: end })
    const isFull = key.permission === 'full_access' || permission === 'full_access'
    const isOther = permission !== key.permission || end?.getTime() !== key.expiresAt?.getTime()
    if (isFull && isOther) refuseStaleLogin(caller, tx.now)
    const changed = await tx.db
      .updateTable('api_keys')
      .set({ permission, expires_at: end, ...(name !== undefined && { name }) })
      .where('team_id', '=', caller.teamId)
      .where('id', '=', id)
      .returning(apiKeyColumns)
      .executeTakeFirstOrThrow()
    const target = { type: 'api_key', id: changed.id, name: changed.name }
    const after = { name: changed.name, permission, expiresAt: end }
    await recordUpdate(tx, { teamId: caller.teamId, action: 'api_key.updated', target }, key, after)
    return changed
  })
}

function findRightsForUpdate(tx: Tx, scope: KeyScope, id: string): Promise<(Rights & { name: string }) | undefined> {
  return tx.db
    .selectFrom('api_keys')
    .select(['name', 'permission', 'mode', 'domain_id as domainId', 'expires_at as expiresAt'])
    .where(isVisible(scope))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}
