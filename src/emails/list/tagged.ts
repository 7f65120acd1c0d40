import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { App } from '../../context.ts'
import { rowCount } from '../../platform/pagination.ts'
import { conditionsOf, type EmailFilter } from './by-status.ts'
import type { Range, RangeCount } from './count.ts'
import { countOnce } from './search-count.ts'
import { hasText, type SearchText } from './selection.ts'
import { tagKey } from './tag-key.ts'

/** Emails that have the tag `tag`, written `name:value`, and the text, and match the rest. */
type Tagged = { filter: EmailFilter; tag: string; text: SearchText | null }

/**
 * Selects the newest tagged emails before `before`. It walks the tag's index, so the time depends on the emails with
 * the tag.
 */
export function newestTagged<T>(columns: RawBuilder<unknown>, tagged: Tagged, before: string | null, count: number) {
  const older = before ? sql`and tagged.email_id < ${before}` : sql``
  return sql<T>`
    select ${columns} from ${taggedEmails(tagged)} ${older} order by tagged.email_id desc limit ${rowCount(count)}
  `
}

/** Returns the exact number of tagged emails. Adds newer emails to the count of an earlier request. */
export function countTagged(app: App, tagged: Tagged): Promise<number> {
  const { filter, tag, text } = tagged
  // Hashed, since a text may name a person.
  const asked = createHash('sha256').update(JSON.stringify({ tag, text }))
  const keptUnder = `tag ${asked.digest('base64url')}`
  return countOnce(app, filter, keptUnder, (range) => countIn(app, tagged, range))
}

async function countIn(app: App, tagged: Tagged, { afterId, throughId }: Range): Promise<RangeCount> {
  const { rows } = await sql<{ settled: string; newer: string }>`
    select count(*) filter (where tagged.email_id <= ${throughId}) as settled,
      count(*) filter (where tagged.email_id > ${throughId}) as newer
    from ${taggedEmails(tagged)} ${afterId ? sql`and tagged.email_id > ${afterId}` : sql``}
  `.execute(app.db)
  return { settled: Number(rows[0]!.settled), newer: Number(rows[0]!.newer) }
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
