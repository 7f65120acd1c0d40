import type { App } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { senderColumns } from './queries.ts'
import type { SenderChanges } from './schema.ts'

/** Updates a sender. Messages that were sent before keep the former name. */
export function updateSender(app: App, teamId: string, id: string, { name, defaultMessageType }: SenderChanges) {
  return app.transaction(async (tx) => {
    const changed = await tx.db
      .updateTable('sms_senders')
      .set({
        ...(name !== undefined && { name }),
        ...(defaultMessageType !== undefined && { default_message_type: defaultMessageType }),
        updated_at: tx.now,
      })
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .returning(senderColumns)
      .executeTakeFirst()
    if (!changed) throw notFound('SMS sender')
    return changed
  })
}
