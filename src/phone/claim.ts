import { sql } from 'kysely'
import type { App, Tx } from '../context.ts'
import { newValues, recordChange } from '../platform/audit/record.ts'
import { conflict } from '../platform/errors.ts'
import type { NumberChannel } from './table.ts'

export type OwnedNumber = { channel: NumberChannel; number: string }

/**
 * Throws `conflict` if another team has the number, or if only the operator assigns numbers and has not assigned it.
 */
export async function refuseForeignNumber(app: App, tx: Tx, teamId: string, owned: OwnedNumber): Promise<void> {
  const found = await tx.db
    .selectFrom('number_assignments')
    .select(['team_id as teamId', 'made_by as madeBy'])
    .where('channel', '=', owned.channel)
    .where('number', '=', owned.number)
    .executeTakeFirst()
  if (found && found.teamId !== teamId) throw numberTaken(owned)
  if (app.config.senderNumbers === 'assigned' && found?.madeBy !== 'operator') throw notAssigned(owned)
}

/** Locks a number of any team until the transaction ends. */
export async function lockNumber(tx: Tx, { channel, number }: OwnedNumber): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${channel} number ${number}`}, 0))`.execute(tx.db)
}

/**
 * Assigns the number to the team permanently. False if another team has it. If two teams claim a number at the same
 * time, the second waits for the first. Call it in the transaction in which the sender becomes active.
 */
export async function claimNumber(
  app: App,
  tx: Tx,
  teamId: string,
  { channel, number }: OwnedNumber,
): Promise<boolean> {
  const made = await tx.db
    .insertInto('number_assignments')
    .values({ channel, number, team_id: teamId, made_by: 'claim', created_at: tx.now })
    .onConflict((existing) => existing.columns(['channel', 'number']).doNothing())
    .executeTakeFirst()
  if (made.numInsertedOrUpdatedRows === 1n) {
    tx.afterCommit(() => app.log.info({ channel, number, teamId }, 'a team claimed a number'))
    const change = { target: { type: 'number', id: number }, changes: newValues({ channel }) }
    await recordChange(tx, { teamId, action: 'number.claimed', ...change })
    return true
  }
  const owner = await tx.db
    .selectFrom('number_assignments')
    .select('team_id')
    .where('channel', '=', channel)
    .where('number', '=', number)
    .executeTakeFirst()
  return owner?.team_id === teamId
}

export function numberTaken({ number }: OwnedNumber) {
  return conflict(
    `The number ${number} belongs to another team of this installation. Ask its operator which numbers are yours.`,
  )
}

function notAssigned({ number }: OwnedNumber) {
  return conflict(
    `The number ${number} is not assigned to your team. Ask the operator of this installation to assign it.`,
  )
}
