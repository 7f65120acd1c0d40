import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'

/**
 * Deletes a contact and removes it from its segments and topics. Accepted emails and the suppression of its address
 * stay.
 */
export function deleteContact(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    const result = await tx.db
      .deleteFrom('contacts')
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (result.numDeletedRows === 0n) throw notFound('contact')
    return { id, deleted: true }
  })
}
