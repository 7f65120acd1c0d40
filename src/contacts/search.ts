import { sql } from 'kysely'
import type { Db } from '../context.ts'
import { likePattern, type Taken } from '../platform/pagination.ts'
import { textFields, textNames } from './fields.ts'
import { type ContactRow, type PageOfContacts, takeContacts } from './queries.ts'

/** Contacts that can be read in a few milliseconds. They fill a page if one in two hundred matches. */
const newestMax = 4000
/** Up to this number, reading all matches from the search index and sorting them is cheap. */
const fewMax = 2000
/** The search index holds groups of three characters. For a text without one, the whole index would be read. */
const trigram = /[\p{L}\p{N}]{3}/u

/**
 * Finds the newest contacts whose address, first or last name holds the text. Looks among the newest contacts first, which
 * suffices for a common word. Then it uses the search index if matches are few, and otherwise walks back from the newest.
 */
export async function searchContacts(db: Db, text: string, page: PageOfContacts): Promise<Taken<ContactRow>> {
  // The searched text has line breaks between its three parts and nowhere else.
  if (text.includes('\n')) return { rows: [], found: 0 }
  const pattern = likePattern(text)
  const newest = await findAmongNewest(db, pattern, page)
  if (newest.found > page.limit) return newest
  const few = trigram.test(text) ? await findFew(db, pattern, page) : null
  return few ?? (await findWalking(db, pattern, page))
}

const texts = textNames.map((name) => sql`contact.${sql.ref(textFields[name].column)} as ${sql.ref(name)}`)
const columns = sql`
  contact.id, contact.email, ${sql.join(texts)}, contact.unsubscribed, contact.properties,
  contact.created_at as "createdAt", contact.updated_at as "updatedAt"
`

/** Names only the conditions that are asked for, so that each form gets a plan that fits it. */
function within({ teamId, before }: PageOfContacts) {
  return before ? sql`contact.team_id = ${teamId} and contact.id < ${before}` : sql`contact.team_id = ${teamId}`
}

function findAmongNewest(db: Db, pattern: string, page: PageOfContacts): Promise<Taken<ContactRow>> {
  const rows = sql<ContactRow>`
    select ${columns} from (
      select * from contacts as contact where ${within(page)} order by contact.id desc limit ${newestMax}
    ) as contact
    where contact.search_text ilike ${pattern} order by contact.id desc limit ${page.limit + 1}
  `
  return takeContacts(db, rows, page)
}

/** Null if more than `fewMax` match, because finding the newest would mean reading all of them. */
async function findFew(db: Db, pattern: string, page: PageOfContacts): Promise<Taken<ContactRow> | null> {
  const { rows } = await sql<{ id: string }>`
    select contact.id from contacts as contact
    where ${within(page)} and contact.search_text ilike ${pattern} limit ${fewMax + 1}
  `.execute(db)
  if (rows.length > fewMax) return null
  const ids = rows
    .map(({ id }) => id)
    .sort()
    .reverse()
    .slice(0, page.limit + 1)
  const found = sql<ContactRow>`
    select ${columns} from contacts as contact
    where contact.team_id = ${page.teamId} and contact.id = any(${ids}::uuid[])
  `
  return takeContacts(db, found, page)
}

/** Walks back from the newest contact. The concatenation keeps the planner from collecting every match first. */
function findWalking(db: Db, pattern: string, page: PageOfContacts): Promise<Taken<ContactRow>> {
  const rows = sql<ContactRow>`
    select ${columns} from contacts as contact
    where ${within(page)} and (contact.search_text || '') ilike ${pattern}
    order by contact.id desc limit ${page.limit + 1}
  `
  return takeContacts(db, rows, page)
}
