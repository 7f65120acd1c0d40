import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { textColumnList, textsFromNew } from '../queries.ts'
import { differs, propertiesMaxBytes, type TextColumns } from '../rules.ts'
import { statementRowsMax } from './insert-new.ts'
import type { WantedContact } from './read-rows.ts'

type Held = TextColumns & { id: string; email_key: string; unsubscribed: boolean }
type Changed = Held & { properties?: Record<string, unknown> }

/**
 * Updates contacts that differ from their rows, and merges properties. `tooLarge` are the rows whose properties would
 * not fit; they change nothing. A contact that was deleted meanwhile is in none of the returned lists.
 */
export async function updateKnownContacts(tx: Tx, teamId: string, wanted: WantedContact[]) {
  const byKey = new Map(wanted.map((contact) => [contact.key, contact]))
  const unchangedIds: string[] = []
  const unsubscribedIds: string[] = []
  const tooLarge: WantedContact[] = []
  const changed: Changed[] = []
  const contacts = await holdContacts(tx, teamId, [...byKey.keys()])
  const given = contacts.flatMap(({ id, email_key }) => {
    const { properties } = byKey.get(email_key)!.columns
    return properties ? [{ id, properties }] : []
  })
  const merges = await compareProperties(tx, teamId, given)
  for (const held of contacts) {
    const contact = byKey.get(held.email_key)!
    const { properties, ...columns } = contact.columns
    const merge = merges.get(held.id)
    if (merge?.differs && merge.isTooLarge) tooLarge.push(contact)
    else if (!merge?.differs && !differs(held, columns)) unchangedIds.push(held.id)
    else {
      changed.push({ ...held, ...columns, ...(merge?.differs && { properties: properties! }) })
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

type Given = { id: string; properties: Record<string, unknown> }
/** Tells whether merging would change the contact's properties, and make them larger than 64 KiB. */
type Merge = { differs: boolean; isTooLarge: boolean }

/**
 * Compares properties with those of locked contacts that they are to be merged into. The database does it, because the
 * properties of ten thousand contacts may be 640 MB. Returns the results by id.
 */
async function compareProperties(tx: Tx, teamId: string, given: Given[]): Promise<Map<string, Merge>> {
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
