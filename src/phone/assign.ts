import { sql } from 'kysely'
import type { App, Tx } from '../context.ts'
import { newValues, recordChange } from '../platform/audit/record.ts'
import { lockNumber, type OwnedNumber } from './claim.ts'

/** The column of a sender that holds its number, by channel. */
const numberColumns = { sms: 'sender_id', whatsapp: 'phone_number_id' } as const

/**
 * Assigns a number to a team, for the operator. Senders of other teams with that number stop working. Returns the
 * previous team, or null.
 */
export function reassignNumber(app: App, owned: OwnedNumber, teamId: string): Promise<string | null> {
  const { channel, number } = owned
  return app.transaction(async (tx) => {
    await lockNumber(tx, owned)
    await tx.db
      .updateTable(`${channel}_senders`)
      .set({ status: 'failed', rejection_reason: 'The number was assigned to another team.', updated_at: tx.now })
      .where(sql.ref(numberColumns[channel]), '=', number)
      .where('team_id', '<>', teamId)
      .where('status', 'in', ['pending', 'active'])
      .execute()
    return assignNumber(tx, teamId, owned)
  })
}

/** Assigns the number to the team, even if another team has it. Returns the previous team, or null. */
export async function assignNumber(tx: Tx, teamId: string, { channel, number }: OwnedNumber): Promise<string | null> {
  const before = await tx.db
    .selectFrom('number_assignments')
    .select('team_id')
    .where('channel', '=', channel)
    .where('number', '=', number)
    .forUpdate()
    .executeTakeFirst()
  const assigned = { team_id: teamId, made_by: 'operator', created_at: tx.now } as const
  await tx.db
    .insertInto('number_assignments')
    .values({ channel, number, ...assigned })
    .onConflict((existing) => existing.columns(['channel', 'number']).doUpdateSet(assigned))
    .execute()
  if (before?.team_id === teamId) return teamId
  const change = { target: { type: 'number', id: number }, changes: newValues({ channel }) }
  if (before) await recordChange(tx, { teamId: before.team_id, action: 'number.released', ...change })
  await recordChange(tx, { teamId, action: 'number.assigned', ...change })
  return before?.team_id ?? null
}

/** Releases the number; any team may claim it afterwards. Returns the team that had it, or null. */
export async function releaseNumber(tx: Tx, { channel, number }: OwnedNumber): Promise<string | null> {
  const released = await tx.db
    .deleteFrom('number_assignments')
    .where('channel', '=', channel)
    .where('number', '=', number)
    .returning('team_id')
    .executeTakeFirst()
  if (!released) return null
  const change = { target: { type: 'number', id: number }, changes: newValues({ channel }) }
  await recordChange(tx, { teamId: released.team_id, action: 'number.released', ...change })
  return released.team_id
}
