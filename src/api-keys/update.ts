import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { apiKeyColumns } from './queries.ts'

export type ApiKeyChanges = { name?: string; permission?: 'full_access' | 'sending_access' }

/** The next request with the key already has the new permission. */
export function updateApiKey(app: App, teamId: string, id: string, { name, permission }: ApiKeyChanges) {
  return app.transaction(async (tx) => {
    const changed = await tx.db
      .updateTable('api_keys')
      .set({ ...(name !== undefined && { name }), ...(permission !== undefined && { permission }) })
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .returning(apiKeyColumns)
      .executeTakeFirst()
    if (!changed) throw notFound('API key')
    return changed
  })
}
