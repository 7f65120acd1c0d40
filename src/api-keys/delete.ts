import type { App, Caller } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { notFound } from '../platform/errors.ts'
import { refuseStaleLogin } from '../teams/refuse-stale-login.ts'
import { isVisible } from './queries.ts'
import { refuseEnding } from './refuse-greater.ts'

/**
 * Revokes a key. Every process refuses it once this commits. Keys that it created stay valid. Throws `forbidden` for a
 * full_access key if the person is no owner or admin, or the login is stale.
 */
export function deleteApiKey(app: App, caller: Caller, id: string): Promise<{ id: string; deleted: true }> {
  const { teamId } = caller
  return app.transaction(async (tx) => {
    // The lock keeps the permission as it is checked.
    const key = await tx.db
      .selectFrom('api_keys')
      .select(['name', 'permission'])
      .where(isVisible(caller))
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow(() => notFound('API key'))
    refuseEnding(caller, key)
    if (key.permission === 'full_access') refuseStaleLogin(caller, tx.now)
    // Before the deletion, since a key that revokes itself is also the actor, which is named.
    const target = { type: 'api_key', id, name: key.name }
    await recordChange(tx, { teamId, action: 'api_key.revoked', target })
    await tx.db.deleteFrom('api_keys').where('team_id', '=', teamId).where('id', '=', id).execute()
    return { id, deleted: true }
  })
}
