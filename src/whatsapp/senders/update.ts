import type { App } from '../../context.ts'
import { recordUpdate } from '../../platform/audit/record.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { senderColumns } from './queries.ts'
import type { SenderChanges } from './schema.ts'
import type { WhatsappSenderStatus } from './table.ts'

/**
 * Changes a sender. With another `wabaId` or `phoneNumberId` it is another number at WhatsApp and must be verified
 * again. Throws `conflict` for such a change while the sender is being verified.
 */
export function updateSender(app: App, teamId: string, id: string, changes: SenderChanges) {
  const { name, displayName, wabaId, phoneNumberId } = changes
  return app.transaction(async (tx) => {
    const before = await tx.db
      .selectFrom('whatsapp_senders')
      .select(['status', 'waba_id', 'phone_number_id', 'rejection_reason', 'name', 'display_name'])
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow(() => notFound('WhatsApp sender'))
    const isOther =
      (wabaId !== undefined && wabaId !== before.waba_id) ||
      (phoneNumberId !== undefined && phoneNumberId !== before.phone_number_id)
    if (isOther && before.status === 'pending')
      throw conflict('This sender is being verified. Change wabaId and phoneNumberId when that has ended.')
    const after = await tx.db
      .updateTable('whatsapp_senders')
      .set({
        ...(name !== undefined && { name }),
        ...(displayName !== undefined && { display_name: displayName }),
        ...(wabaId !== undefined && { waba_id: wabaId }),
        ...(phoneNumberId !== undefined && { phone_number_id: phoneNumberId }),
        ...(isOther && unverified(before)),
        updated_at: tx.now,
      })
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .returning(senderColumns)
      .executeTakeFirstOrThrow()
    const target = { type: 'whatsapp_sender', id: after.id, name: after.name }
    const former = {
      ...{ name: before.name, displayName: before.display_name, status: before.status },
      ...{ wabaId: before.waba_id, phoneNumberId: before.phone_number_id },
    }
    const {
      phoneNumber: _number,
      rejectionReason: _reason,
      createdAt: _made,
      updatedAt: _at,
      id: _id,
      ...present
    } = after
    await recordUpdate(tx, { teamId, action: 'whatsapp_sender.updated', target }, former, present)
    return after
  })
}

/** Returns the status of a sender that must be verified again. A suspended sender stays suspended. */
function unverified({ status, rejection_reason }: { status: WhatsappSenderStatus; rejection_reason: string | null }) {
  return status === 'suspended'
    ? { status, rejection_reason }
    : { status: 'not_started' as const, rejection_reason: null }
}
