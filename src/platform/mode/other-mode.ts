import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import { type DomainError, forbidden, notFound } from '../errors.ts'
import { isTestTeam, liveTeamOf, type Mode } from './mode.ts'

/** A kind of rows that test mode reads and does not change. `may` says how it uses them; it reads them if left out. */
type Kept = { noun: string; may?: string }

/**
 * Returns the refusal to change a row that the team does not have in this mode: `forbidden` if the caller is in test
 * mode and the row is live, otherwise `notFound` of `missing`, or of the noun.
 */
export async function notOfMode(
  db: Db,
  teamId: string,
  id: string,
  { table, missing, ...kept }: Kept & { table: string; missing?: string },
): Promise<DomainError> {
  if (!isTestTeam(teamId)) return notFound(missing ?? kept.noun)
  const { rows } = await sql`
    select from ${sql.table(table)} where team_id = ${liveTeamOf(teamId)} and id = ${id}
  `.execute(db)
  return rows.length > 0 ? notInTest(kept) : notFound(missing ?? kept.noun)
}

/** Returns the refusal to change a live row in test mode. */
export function notInTest({ noun, may = 'read' }: Kept): DomainError {
  return forbidden(`This ${noun} is live. In test mode it can be ${may}, not changed. Use a live key, or sign in.`)
}

/** Returns a row as answers show it: they name the mode of test rows only. */
export function withTestMark<Row extends { mode: Mode }>({ mode, ...row }: Row): Omit<Row, 'mode'> & { mode?: 'test' } {
  return mode === 'test' ? { ...row, mode } : row
}
