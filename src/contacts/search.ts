import { sql } from 'kysely'
import type { Db } from '../context.ts'
import { pageLimit, type Taken } from '../platform/pagination.ts'
import { likeAnyCase, likePattern } from '../platform/sql/like.ts'
import { type ContactRow, columnsOfContact, contactsOf, type PageOfContacts, takeContacts } from './queries.ts'

/** Contacts that can be read in a few milliseconds. They fill a page if one in two hundred matches. */
const newestMax = 4000
/** Up to this number, reading all matches from the search index and sorting them is cheap. */
const fewMax = 2000
/** The search index holds groups of three characters. For a text without one, the whole index would be read. */
const trigram = /[\p{L}\p{N}]{3}/u

/**
 * Finds the newest contacts whose address, first or last name holds the text. Looks among the newest contacts first,
 * which suffices for a common word. Then it uses the search index if matches are few, and otherwise walks back from the
 * newest.
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

function findAmongNewest(db: Db, pattern: string, page: PageOfContacts): Promise<Taken<ContactRow>> {
  const rows = sql<ContactRow>`
    select ${columnsOfContact} from (
      select contact.* ${contactsOf(page)} order by contact.id desc limit ${newestMax}
    ) as contact
    where ${likeAnyCase(sql`contact.search_text`, pattern)} order by contact.id desc limit ${pageLimit(page.limit + 1)}
  `
  return takeContacts(db, rows, page)
}

/** Null if more than `fewMax` match, because finding the newest would mean reading all of them. */
async function findFew(db: Db, pattern: string, page: PageOfContacts): Promise<Taken<ContactRow> | null> {
  const { rows } = await sql<{ id: string }>`
    select contact.id ${contactsOf(page)} and ${likeAnyCase(sql`contact.search_text`, pattern)} limit ${fewMax + 1}
  `.execute(db)
  if (rows.length > fewMax) return null
  const ids = rows
    .map(({ id }) => id)
    .sort()
    .reverse()
    .slice(0, page.limit + 1)
  const found = sql<ContactRow>`
    select ${columnsOfContact} from contacts as contact
    where contact.team_id = ${page.teamId} and contact.id = any(${ids}::uuid[])
  `
  return takeContacts(db, found, page)
}

/** Walks back from the newest contact. The concatenation keeps the planner from collecting every match first. */
function findWalking(db: Db, pattern: string, page: PageOfContacts): Promise<Taken<ContactRow>> {
  const rows = sql<ContactRow>`
    select ${columnsOfContact} ${contactsOf(page)} and ${likeAnyCase(sql`contact.search_text || ''`, pattern)}
    order by contact.id desc limit ${pageLimit(page.limit + 1)}
  `
  return takeContacts(db, rows, page)
}
