import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { someLikeAnyCase } from '../../platform/pagination.ts'
import type { EmailFilter } from './by-status.ts'
import type { Range, RangeCount } from './count.ts'
import { countOnce } from './search-count.ts'
import { isTo, matches, type SearchText } from './selection.ts'

/**
 * Returns the exact number of emails that only their recipients match: those to the address whose subject and sender do
 * not hold the text. Adds newer emails to the count of an earlier request. 0 for a text that is no address.
 */
export async function countOnlyTo(app: App, filter: EmailFilter, { pattern, address }: SearchText): Promise<number> {
  if (address === null) return 0
  const asked = createHash('sha256').update(JSON.stringify({ address, hidesSystem: filter.hidesSystem }))
  const keptUnder = `only to ${asked.digest('base64url')}`
  return countOnce(app, filter, keptUnder, (range) => countIn(app, filter, { pattern, address }, range))
}

async function countIn(
  app: App,
  filter: EmailFilter,
  { pattern, address }: { pattern: string; address: string },
  { afterId, throughId }: Range,
): Promise<RangeCount> {
  const { rows } = await sql<{ settled: string; newer: string }>`
    select count(*) filter (where email.id <= ${throughId}) as settled, count(*) filter (where email.id > ${throughId}) as newer
    from emails as email where ${matches(filter, null)} and ${isTo(address)}
      and not ${someLikeAnyCase(['email.subject', 'email.from_address'], pattern)}
      ${afterId ? sql`and email.id > ${afterId}` : sql``}
  `.execute(app.db)
  return { settled: Number(rows[0]!.settled), newer: Number(rows[0]!.newer) }
}
