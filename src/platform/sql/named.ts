import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'

/** Returns a statement with its name, under which a connection prepares it once. */
export function named(text: string, values: readonly unknown[]): pg.QueryConfig {
  const name = statementName(text)
  return { ...(name && { name }), text, values: values as unknown[] }
}

const names = new Map<string, string>()
/** Statements differ by code path, not by data, so a few hundred exist. Beyond this number they have no name. */
const namesMax = 2000

const eachTime = '/* planned each time */'
/**
 * Begins a statement that is planned each time, for the size that its tables have now. A plan that was prepared while a
 * table was small reads all of it for each batch, until the database analyzes it.
 */
export const plannedEachTime = sql.raw(eachTime)

function statementName(text: string): string | undefined {
  if (text.startsWith(eachTime)) return undefined
  const known = names.get(text)
  if (known !== undefined || names.size >= namesMax) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  names.set(text, name)
  return name
}
