import type { App } from '../../context.ts'
import { newValues, recordChange } from '../../platform/audit/record.ts'

/**
 * Suspends a sender of any team, for the operator: it can neither send nor be verified. Returns its team, or null if the
 * sender does not exist.
 */
export async function suspendWhatsappSender(app: App, id: string, reason: string | null): Promise<string | null> {
  return app.transaction(async (tx) => {
    const suspended = await tx.db
      .updateTable('whatsapp_senders')
      .set({ status: 'suspended', rejection_reason: reason, updated_at: tx.now })
      .where('id', '=', id)
      .returning(['team_id', 'name'])
      .executeTakeFirst()
    if (!suspended) return null
    const target = { type: 'whatsapp_sender', id, name: suspended.name }
    const changes = newValues({ reason })
    await recordChange(tx, { teamId: suspended.team_id, action: 'whatsapp_sender.suspended', target, changes })
    return suspended.team_id
  })
}

/** Ends a suspension: the team must verify the sender again. Returns its team, or null if the sender is not suspended. */
export async function resumeWhatsappSender(app: App, id: string): Promise<string | null> {
  return app.transaction(async (tx) => {
    const resumed = await tx.db
      .updateTable('whatsapp_senders')
      .set({ status: 'not_started', rejection_reason: null, updated_at: tx.now })
      .where('id', '=', id)
      .where('status', '=', 'suspended')
      .returning(['team_id', 'name'])
      .executeTakeFirst()
    if (!resumed) return null
    const target = { type: 'whatsapp_sender', id, name: resumed.name }
    await recordChange(tx, { teamId: resumed.team_id, action: 'whatsapp_sender.resumed', target })
    return resumed.team_id
  })
}
