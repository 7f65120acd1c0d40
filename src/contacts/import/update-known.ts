import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { textColumnList, textsFromNew } from '../queries.ts'
import { differs, type TextColumns } from '../rules.ts'
import { compareProperties } from './compare-properties.ts'
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
