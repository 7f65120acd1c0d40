import type { App } from '../../context.ts'
import { recordUpdate } from '../../platform/audit/record.ts'
import { notFound } from '../../platform/errors.ts'
import { lockSender, senderColumns } from './queries.ts'
import type { SenderChanges } from './schema.ts'

/** Updates a sender. Messages that were sent before keep the former name. */
export function updateSender(app: App, teamId: string, id: string, { name, defaultMessageType }: SenderChanges) {
  return app.transaction(async (tx) => {
    const before = await lockSender(tx, teamId, id)
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
    if (!before || !changed) throw notFound('SMS sender')
    const target = { type: 'sms_sender', id: changed.id, name: changed.name }
    const after = { name: changed.name, defaultMessageType: changed.defaultMessageType }
    await recordUpdate(tx, { teamId, action: 'sms_sender.updated', target }, before, after)
    return changed
  })
}
