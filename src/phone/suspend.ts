import { sql } from 'kysely'
import type { App } from '../context.ts'
import { newValues, recordChange } from '../platform/audit/record.ts'
import { modeIn } from '../platform/mode/mode.ts'
import type { NumberChannel } from './table.ts'

/** Why a suspended sender cannot be deleted: another one with its number would be verified in its place. */
export const suspendedStays = 'This sender is suspended. Ask the operator of this server to resume it, then delete it.'
/** Why it cannot be verified, as the message of an invalid field. */
export const suspendedIsNotVerified = 'the sender is suspended; ask the operator of this server to resume it'

/** A test team may hold a copy of a sender, under the same id. */
const mode = modeIn(sql.ref('team_id'))

/**
 * Suspends a sender of any team, for the operator: it can neither send nor be verified. Returns its team, or null if
 * the sender does not exist.
 */
export function suspendSender(app: App, channel: NumberChannel, id: string, reason: string | null) {
  return app.transaction(async (tx): Promise<string | null> => {
    const suspended = await tx.db
      .updateTable(`${channel}_senders`)
      .set({ status: 'suspended', rejection_reason: reason, updated_at: tx.now })
      .where('id', '=', id)
      .where(mode, '=', 'live')
      .returning(['team_id', 'name'])
      .executeTakeFirst()
    if (!suspended) return null
    const { team_id: teamId, name } = suspended
    const target = { type: `${channel}_sender`, id, name }
    await recordChange(tx, { teamId, action: `${channel}_sender.suspended`, target, changes: newValues({ reason }) })
    return teamId
  })
}

/**
 * Ends a suspension: the team must verify the sender again. Returns its team, or null if the sender is not suspended.
 */
export function resumeSender(app: App, channel: NumberChannel, id: string) {
  return app.transaction(async (tx): Promise<string | null> => {
    const resumed = await tx.db
      .updateTable(`${channel}_senders`)
      .set({ status: 'not_started', rejection_reason: null, updated_at: tx.now })
      .where('id', '=', id)
      .where(mode, '=', 'live')
      .where('status', '=', 'suspended')
      .returning(['team_id', 'name'])
      .executeTakeFirst()
    if (!resumed) return null
    const { team_id: teamId, name } = resumed
    const target = { type: `${channel}_sender`, id, name }
    await recordChange(tx, { teamId, action: `${channel}_sender.resumed`, target })
    return teamId
  })
}
