import type { App } from '../../context.ts'

/**
 * Suspends a sender of any team, for the operator: it can neither send nor be verified. Returns its team, or null if the
 * sender does not exist.
 */
export async function suspendSmsSender(app: App, id: string, reason: string | null): Promise<string | null> {
  return app.transaction(async (tx) => {
    const suspended = await tx.db
      .updateTable('sms_senders')
      .set({ status: 'suspended', rejection_reason: reason, updated_at: tx.now })
      .where('id', '=', id)
      .returning('team_id')
      .executeTakeFirst()
    return suspended?.team_id ?? null
  })
}

/** Ends a suspension: the team must verify the sender again. Returns its team, or null if the sender is not suspended. */
export async function resumeSmsSender(app: App, id: string): Promise<string | null> {
  return app.transaction(async (tx) => {
    const resumed = await tx.db
      .updateTable('sms_senders')
      .set({ status: 'not_started', rejection_reason: null, updated_at: tx.now })
      .where('id', '=', id)
      .where('status', '=', 'suspended')
      .returning('team_id')
      .executeTakeFirst()
    return resumed?.team_id ?? null
  })
}
