import type pg from 'pg'

/** The first line of a migration that runs outside a transaction, since it builds indexes while others write. */
export const concurrentMark = '-- outside a transaction'

const create = /^create (?:unique )?index concurrently (\w+) on /i
const drop = /^drop index concurrently if exists \w+$/i

/**
 * Runs a migration of `create index concurrently` and `drop index concurrently if exists`, one statement after the
 * other. It may be killed at any place and run again: indexes that were built stay, and one that was begun is dropped
 * and built anew. Throws for any other statement, which another run would repeat.
 */
export async function buildIndexes(client: pg.ClientBase, text: string): Promise<void> {
  const statements = statementsOf(text)
  const stray = statements.find((statement) => !create.test(statement) && !drop.test(statement))
  if (stray !== undefined)
    throw new Error(`Outside a transaction only indexes are built or dropped; this is "${stray}".`)
  // Nothing waits behind these statements, which wait for transactions that are older.
  await client.query('set lock_timeout = 0')
  for (const statement of statements) {
    const name = create.exec(statement)?.[1]
    const state = name === undefined ? null : await findIndex(client, name)
    if (state === 'valid') continue
    if (state === 'invalid') await client.query(`drop index concurrently ${name}`)
    await client.query(statement)
  }
}

function statementsOf(text: string): string[] {
  const code = text.replace(/--.*$/gm, '')
  return code.split(';').flatMap((statement) => statement.trim().replace(/\s+/g, ' ') || [])
}

/** An index is invalid until it is built, also after its statement failed or was killed. */
async function findIndex(client: pg.ClientBase, name: string): Promise<'valid' | 'invalid' | null> {
  const { rows } = await client.query('select indisvalid from pg_index where indexrelid = to_regclass($1)', [name])
  if (rows.length === 0) return null
  return rows[0].indisvalid ? 'valid' : 'invalid'
}
