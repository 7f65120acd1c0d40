import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { someLikeAnyCase } from '../../platform/pagination.ts'
import type { EmailFilter } from './by-status.ts'
import { countRange } from './count.ts'
import { countFromKept, countKey } from './search-count.ts'
import { isTo, matches, type SearchText } from './selection.ts'

/**
 * Returns the exact number of emails that only their recipients match: those to the address whose subject and sender do
 * not hold the text. Adds newer emails to the count of an earlier request. 0 for a text that is no address.
 */
export async function countOnlyTo(app: App, filter: EmailFilter, { pattern, addresses }: SearchText): Promise<number> {
  if (addresses === null) return 0
  const keptUnder = countKey('only to', { addresses, hidesSystem: filter.hidesSystem })
  const matching = sql`emails as email where ${matches(filter, null)} and ${isTo(addresses)}
    and not ${someLikeAnyCase(['email.subject', 'email.from_address'], pattern)}`
  return countFromKept(app, filter, keptUnder, (range) => countRange(app.db, matching, range))
}
