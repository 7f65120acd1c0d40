import { type RawBuilder, sql } from 'kysely'
import type { App } from '../../context.ts'
import { pageLimit } from '../../platform/pagination.ts'
import { tagKey } from '../messages/scopes.ts'
import { countRange } from './count.ts'
import { conditionsOf, type EmailFilter } from './filter.ts'
import { countFromKept, countKey } from './search-count.ts'
import { columns, hasText, type ListedEmail, type PageBounds, type SearchText } from './selection.ts'

/** Emails that have the tag `tag`, written `name:value`, and the text, and match the rest. */
type Tagged = { filter: EmailFilter; tag: string; text: SearchText | null }

/** Selects a page of tagged emails. It walks the tag's index, so the time depends on the emails with the tag. */
export function newestTagged(tagged: Tagged, { before, count }: PageBounds): RawBuilder<ListedEmail> {
  const older = before ? sql`and tagged.email_id < ${before}` : sql``
  return sql<ListedEmail>`
    select ${columns} from ${taggedEmails(tagged)} ${older} order by tagged.email_id desc limit ${pageLimit(count)}
  `
}

/** Returns the exact number of tagged emails. Adds newer emails to the count of an earlier request. */
export function countTagged(app: App, tagged: Tagged): Promise<number> {
  const { filter, tag, text } = tagged
  return countFromKept(app, filter, countKey('tag', { tag, text }), (range) =>
    countRange(app.db, taggedEmails(tagged), range, sql`tagged.email_id`),
  )
}

/** System mail has no tags, so `hidesSystem` makes no difference here. */
function taggedEmails({ filter, tag, text }: Tagged) {
  const isTagged = [sql`tagged.team_id = ${filter.teamId}`, sql`tagged.tag = ${tagKey(tag)}`]
  const conditions = [...isTagged, ...conditionsOf(filter, 'email')]
  if (text) conditions.push(hasText(text))
  return sql`email_tags as tagged
    join emails as email on email.team_id = tagged.team_id and email.id = tagged.email_id
    where ${sql.join(conditions, sql` and `)}`
}
