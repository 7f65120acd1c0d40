import { sql } from 'kysely'
import type { App, Db } from '../../context.ts'
import { issueCursor, limitMax, type Page, type PageQuery, pageLimit, readCursor } from '../../platform/pagination.ts'
import { unitsPerCent } from '../rate-card.ts'
import type { CreditEntry } from '../schema.ts'

/**
 * Lists the entries of the ledger, newest first. The balance after an entry follows from the balance now, or from the
 * cursor, less the entries in between, so that a page costs the same anywhere in the ledger.
 */
export async function listEntries(
  app: App,
  teamId: string,
  { limit = limitMax, cursor }: PageQuery,
): Promise<Page<CreditEntry>> {
  const key = { list: 'billing entries', teamId }
  const rows = await findEntries(app.db, teamId, readCursor(app.keyring, key, cursor), limit + 1)
  const page = rows.slice(0, limit)
  const data = page.map(({ creditUnits, overageUnits, balanceUnits, ...entry }) => ({
    ...entry,
    cents: (Number(creditUnits) - Number(overageUnits)) / unitsPerCent,
    balanceCents: Number(balanceUnits) / unitsPerCent,
  }))
  const next = rows[limit]
  if (!next) return { data, cursor: null, hasMore: false }
  const position = { id: page.at(-1)!.id, total: Number(next.balanceUnits) }
  return { data, cursor: issueCursor(app.keyring, key, position), hasMore: true }
}

type Row = Pick<CreditEntry, 'id' | 'kind' | 'messageId' | 'createdAt'> & {
  creditUnits: string
  overageUnits: string
  balanceUnits: string
}

/**
 * `total` of the position is the balance after the first entry of the page, in units. Without one it is the balance
 * now.
 */
async function findEntries(
  db: Db,
  teamId: string,
  after: { id: string; total?: number | undefined } | null,
  count: number,
) {
  const before = after ? sql`and id < ${after.id}::bigint` : sql``
  const balance = after
    ? sql`${after.total ?? 0}::bigint`
    : sql`coalesce((select balance_units from sms_credit where team_id = ${teamId}), 0)`
  const { rows } = await sql<Row>`
    select id::text, kind, message_id as "messageId", created_at as "createdAt",
      credit_units as "creditUnits", overage_units as "overageUnits",
      ${balance} - coalesce(sum(credit_units) over (
        order by id desc rows between unbounded preceding and 1 preceding
      ), 0) as "balanceUnits"
    from (
      select * from sms_ledger where team_id = ${teamId} ${before} order by id desc limit ${pageLimit(count)}
    ) as entry
    order by entry.id desc
  `.execute(db)
  return rows
}
