import type { App } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { notFound } from '../platform/errors.ts'
import type { KeyScope } from './queries.ts'

/** Revokes a key. Every process refuses it once this commits. Keys that it created stay valid. */
export function deleteApiKey(
  app: App,
  { teamId, domainId }: KeyScope,
  id: string,
): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    const deleted = await tx.db
      .deleteFrom('api_keys')
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .$if(domainId !== null, (query) => query.where('domain_id', '=', domainId))
      .returning('name')
      .executeTakeFirst()
    if (!deleted) throw notFound('API key')
    const target = { type: 'api_key', id, name: deleted.name }
    await recordChange(tx, { teamId, action: 'api_key.revoked', target })
    return { id, deleted: true }
  })
}
