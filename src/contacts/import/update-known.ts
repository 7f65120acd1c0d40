import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { textColumnList, textsFromNew } from '../queries.ts'
import { differs, propertiesMaxBytes, type TextColumns } from '../rules.ts'
import { statementRowsMax } from './insert-new.ts'
import type { WantedContact } from './read-rows.ts'

/** Rows that one statement compares. Merging 64 KiB of small members takes a few milliseconds. */
const comparedMax = 500

type Held = TextColumns & { id: string; email_key: string; unsubscribed: boolean }
type Changed = Held & { properties?: Record<string, unknown> }

/**
 * Updates contacts that differ from their rows, and merges properties. `tooLarge` are the rows whose properties would
 * not fit; they change nothing, and an earlier row of the contact counts instead. A contact that was deleted meanwhile
 * is in none of the returned lists.
 */
export async function updateKnownContacts(tx: Tx, teamId: string, wanted: WantedContact[]) {
  const byKey = new Map(wanted.map((contact) => [contact.key, contact]))
  const unchangedIds: string[] = []
  const unsubscribedIds: string[] = []
  const tooLarge: WantedContact[] = []
  const changed: Changed[] = []
  const contacts = await holdContacts(tx, teamId, [...byKey.keys()])
  const rows = contacts.map(({ id, email_key }) => ({ id, row: byKey.get(email_key)! }))
  const merges = await compareRows(tx, teamId, rows)
  for (const held of contacts) {
    let contact: WantedContact | null = byKey.get(held.email_key)!
    for (; contact && isTooLarge(merges, contact); contact = contact.earlier) tooLarge.push(contact)
    if (!contact) continue
    const { properties, ...columns } = contact.columns
    const mergeDiffers = merges.get(contact.index)?.differs
    if (!mergeDiffers && !differs(held, columns)) unchangedIds.push(held.id)
    else {
      changed.push({ ...held, ...columns, ...(mergeDiffers && { properties: properties! }) })
      if (columns.unsubscribed && !held.unsubscribed) unsubscribedIds.push(held.id)
    }
  }
  for (let start = 0; start < changed.length; start += statementRowsMax) {
    await updatePage(tx, teamId, changed.slice(start, start + statementRowsMax))
  }
  return { updatedIds: changed.map(({ id }) => id), unsubscribedIds, unchangedIds, tooLarge }
}

/**
 * Locks contacts in the order of addresses, as all statements do. The lock allows them to be put into segments
 * meanwhile.
 */
async function holdContacts(tx: Tx, teamId: string, keys: string[]): Promise<Held[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<Held>`
    select id, email_key, ${textColumnList}, unsubscribed
    from contacts where team_id = ${teamId} and email_key = any(${keys}::text[])
    order by email_key for no key update
  `.execute(tx.db)
  return rows
}

async function updatePage(tx: Tx, teamId: string, page: Changed[]): Promise<void> {
  await sql`
    update contacts set ${textsFromNew}, unsubscribed = new.unsubscribed,
      properties = contacts.properties || coalesce(new.properties, '{}'), updated_at = ${tx.now}
    from json_populate_recordset(null::contacts, ${JSON.stringify(page)}::json) as new
    where contacts.team_id = ${teamId} and contacts.id = new.id
  `.execute(tx.db)
}

type LastRow = { id: string; row: WantedContact }

/** Compares the last row of each contact, and also those before it if the last one is too large. */
async function compareRows(tx: Tx, teamId: string, lastRows: LastRow[]): Promise<Merges> {
  const merges = await compareProperties(tx, teamId, lastRows.flatMap(givenBy))
  const tooLarge = lastRows.filter(({ row }) => isTooLarge(merges, row))
  const earlier = tooLarge.flatMap(({ id, row }) => earlierOf(row).flatMap((each) => givenBy({ id, row: each })))
  return new Map([...merges, ...(await compareProperties(tx, teamId, earlier))])
}

function givenBy({ id, row: { index, columns } }: LastRow): Given[] {
  return columns.properties ? [{ id, index, properties: columns.properties }] : []
}

function earlierOf(last: WantedContact): WantedContact[] {
  const rows: WantedContact[] = []
  for (let row = last.earlier; row; row = row.earlier) rows.push(row)
  return rows
}

function isTooLarge(merges: Merges, { index }: WantedContact): boolean {
  const merge = merges.get(index)
  return merge ? merge.differs && merge.isTooLarge : false
}

type Given = { id: string; index: number; properties: Record<string, unknown> }
/** Tells whether merging would change the contact's properties, and make them larger than 64 KiB. */
type Merge = { differs: boolean; isTooLarge: boolean }
/** By the index of the row. */
type Merges = Map<number, Merge>

/**
 * Compares properties with those of locked contacts that they are to be merged into. The database does it, because the
 * properties of ten thousand contacts may be 640 MB.
 */
async function compareProperties(tx: Tx, teamId: string, given: Given[]): Promise<Merges> {
  const merges: Merges = new Map()
  for (let start = 0; start < given.length; start += comparedMax) {
    const page = given.slice(start, start + comparedMax)
    for (const { index, ...merge } of await comparePage(tx, teamId, page)) merges.set(index, merge)
  }
  return merges
}

async function comparePage(tx: Tx, teamId: string, page: Given[]): Promise<(Merge & { index: number })[]> {
  const given = page.map(({ properties, ...row }) => ({ ...row, properties: JSON.stringify(properties) }))
  // `offset 0` keeps the planner from merging once for each use.
  const { rows } = await sql<Merge & { index: number }>`
    select given.index, merged <> contact.properties as differs, octet_length(merged::text) > ${propertiesMaxBytes} as "isTooLarge"
    from ${rowsOf(given, { id: 'uuid', index: 'int', properties: 'jsonb' }).as('given')}
    join contacts as contact on contact.team_id = ${teamId} and contact.id = given.id
    cross join lateral (select contact.properties || given.properties as merged offset 0) as result
  `.execute(tx.db)
  return rows
}
