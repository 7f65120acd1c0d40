import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { textColumnList, textsFromNew } from '../queries.ts'
import { differs, type TextColumns } from '../rules.ts'
import { statementRowsMax } from './insert-new.ts'
import type { WantedContact } from './read-rows.ts'

type Held = TextColumns & { id: string; email_key: string; unsubscribed: boolean }

/** Updates contacts that differ from their rows. A contact that was deleted meanwhile is in none of the returned lists. */
export async function updateKnownContacts(tx: Tx, teamId: string, wanted: WantedContact[]) {
  const columnsByKey = new Map(wanted.map(({ key, columns }) => [key, columns]))
  const unchangedIds: string[] = []
  const unsubscribedIds: string[] = []
  const changed: Held[] = []
  for (const held of await holdContacts(tx, teamId, [...columnsByKey.keys()])) {
    const columns = columnsByKey.get(held.email_key)!
    if (!differs(held, columns)) {
      unchangedIds.push(held.id)
      continue
    }
    changed.push({ ...held, ...columns })
    if (columns.unsubscribed && !held.unsubscribed) unsubscribedIds.push(held.id)
  }
  for (let start = 0; start < changed.length; start += statementRowsMax) {
    await updatePage(tx, teamId, changed.slice(start, start + statementRowsMax))
  }
  return { updatedIds: changed.map(({ id }) => id), unsubscribedIds, unchangedIds }
}

/** Locks contacts in the order of addresses, as all statements do. The lock allows them to be put into segments meanwhile. */
async function holdContacts(tx: Tx, teamId: string, keys: string[]): Promise<Held[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<Held>`
    select id, email_key, ${textColumnList}, unsubscribed
    from contacts where team_id = ${teamId} and email_key = any(${keys}::text[])
    order by email_key for no key update
  `.execute(tx.db)
  return rows
}

async function updatePage(tx: Tx, teamId: string, page: Held[]): Promise<void> {
  await sql`
    update contacts set ${textsFromNew}, unsubscribed = new.unsubscribed, updated_at = ${tx.now}
    from json_populate_recordset(null::contacts, ${JSON.stringify(page)}::json) as new
    where contacts.team_id = ${teamId} and contacts.id = new.id
  `.execute(tx.db)
}
