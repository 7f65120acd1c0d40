import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import type { KeyScope } from './queries.ts'

/** Revokes a key. Every process refuses it once this commits. Keys that it created stay valid. */
export function deleteApiKey(
  app: App,
  { teamId, domainId }: KeyScope,
  id: string,
): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    const result = await tx.db
      .deleteFrom('api_keys')
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .$if(domainId !== null, (query) => query.where('domain_id', '=', domainId))
      .executeTakeFirst()
    if (result.numDeletedRows === 0n) throw notFound('API key')
    return { id, deleted: true }
  })
}
