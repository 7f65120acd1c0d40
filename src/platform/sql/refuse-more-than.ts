import type { Tx } from '../../context.ts'
import { conflict } from '../errors.ts'

/**
 * Throws `conflict` if the team has `max` rows in the table already. `noun` is their name in the message. Concurrent
 * requests may exceed the bound by a few, which is harmless.
 */
export async function refuseMoreThan(
  tx: Tx,
  teamId: string,
  table: 'credentials' | 'workflows',
  max: number,
  noun: string,
): Promise<void> {
  const { count } = await tx.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= max) throw conflict(`A team has ${max} ${noun} at most. Delete one first.`)
}
