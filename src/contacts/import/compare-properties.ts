import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { propertiesMaxBytes } from '../rules.ts'
import { statementRowsMax } from './insert-new.ts'

type Given = { id: string; properties: Record<string, unknown> }
/** Tells whether merging would change the contact's properties, and make them larger than 64 KiB. */
type Merge = { differs: boolean; isTooLarge: boolean }

/**
 * Compares properties with those of locked contacts that they are to be merged into. The database does it, because the
 * properties of ten thousand contacts may be 640 MB. Returns the results by id.
 */
export async function compareProperties(tx: Tx, teamId: string, given: Given[]): Promise<Map<string, Merge>> {
  const merges = new Map<string, Merge>()
  for (let start = 0; start < given.length; start += statementRowsMax) {
    const page = given.slice(start, start + statementRowsMax)
    for (const { id, ...merge } of await comparePage(tx, teamId, page)) merges.set(id, merge)
  }
  return merges
}

async function comparePage(tx: Tx, teamId: string, page: Given[]): Promise<(Merge & { id: string })[]> {
  const given = page.map(({ id, properties }) => ({ id, properties: JSON.stringify(properties) }))
  const merged = sql`(contact.properties || given.properties)`
  const { rows } = await sql<Merge & { id: string }>`
    select contact.id, ${merged} <> contact.properties as differs,
      octet_length(${merged}::text) > ${propertiesMaxBytes} as "isTooLarge"
    from ${rowsOf(given, { id: 'uuid', properties: 'jsonb' }).as('given')}
    join contacts as contact on contact.team_id = ${teamId} and contact.id = given.id
  `.execute(tx.db)
  return rows
}
