import type { Tx } from '../context.ts'
import type { OwnedNumber } from './claim.ts'

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
  return released?.team_id ?? null
}
