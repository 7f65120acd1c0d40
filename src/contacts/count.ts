import { sql } from 'kysely'
import type { Db } from '../context.ts'
import { foldCounts } from '../platform/sql/fold-counts.ts'

/** Counts a team's contacts exactly: the totals and the changes since, in one snapshot. */
export async function countContacts(db: Db, teamId: string): Promise<{ total: number; unsubscribed: number }> {
  const { rows } = await sql<{ total: number; unsubscribed: number }>`
    select coalesce(sum(contacts), 0)::int as total, coalesce(sum(unsubscribed), 0)::int as unsubscribed from (
      select contacts, unsubscribed from contact_counts where team_id = ${teamId}
      union all
      select contacts, unsubscribed from contact_count_changes where team_id = ${teamId}
    ) as counts
  `.execute(db)
  return rows[0]!
}

export const foldContactCounts = foldCounts({
  changes: 'contact_count_changes',
  totals: 'contact_counts',
  keys: ['team_id'],
  sums: { contacts: 'contacts', unsubscribed: 'unsubscribed' },
  owner: { table: 'teams', columns: { id: 'team_id' } },
})
