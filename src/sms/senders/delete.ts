import type { App, Tx } from '../../context.ts'
import { suspendedStays } from '../../phone/suspend.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { testTeamOf } from '../../platform/mode/mode.ts'

/**
 * Deletes a sender without messages that is not suspended; throws `conflict` otherwise. Exact under concurrency: a
 * message is accepted under a share lock of its sender's row, so it is either seen here or refused there.
 */
export function deleteSender(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    const query = tx.db
      .selectFrom('sms_senders')
      .select(['name', 'status'])
      .where('team_id', '=', teamId)
      .where('id', '=', id)
    const sender = await query.forUpdate().executeTakeFirstOrThrow(() => notFound('SMS sender'))
    if (sender.status === 'suspended') throw conflict(suspendedStays)
    if (await isUsed(tx, teamId, id)) {
      throw conflict('Messages were sent from this sender, and name it. It stays; create another to send from.')
    }
    await tx.db.deleteFrom('sms_senders').where('team_id', '=', teamId).where('id', '=', id).execute()
    const target = { type: 'sms_sender', id, name: sender.name }
    await recordChange(tx, { teamId, action: 'sms_sender.deleted', target })
    return { id, deleted: true }
  })
}

async function isUsed(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const messages = tx.db
    .selectFrom('sms_messages')
    .select('id')
    .where('team_id', 'in', [teamId, testTeamOf(teamId)])
    .where('sender_id', '=', id)
  return (await messages.limit(1).executeTakeFirst()) !== undefined
}
