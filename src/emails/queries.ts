import { sql } from 'kysely'
import type { Db } from '../context.ts'
import { modeOf } from '../platform/mode/mode.ts'
import { bytesOf, takeContent } from '../platform/pagination.ts'
import { shownTexts } from './mime/source/shown-texts.ts'
import type { BroadcastEmail } from './of-broadcasts/fill.ts'
import type { Email } from './schema.ts'

/**
 * Restricts which emails are found: to those from a domain unless it is null, and to those that are not system mail.
 */
export type Seen = { domainId: string | null; system: boolean }

const all: Seen = { domainId: null, system: true }

/** Finds an email with its own bodies, if it is among those seen. */
export async function findEmail(db: Db, teamId: string, id: string, seen: Seen = all): Promise<Email | undefined> {
  const found = await findEmailUpTo(db, teamId, id, seen, anyBytes)
  return found?.email ?? undefined
}

/** More than the bodies of any email. */
const anyBytes = 2 ** 31 - 1

/**
 * Finds an email as `findEmail` does, and the bytes that reading its bodies takes. If they are more than `bytesMax`,
 * the email is null and its bodies are not read.
 */
export async function findEmailUpTo(
  db: Db,
  teamId: string,
  id: string,
  { domainId, system }: Seen,
  bytesMax: number,
): Promise<{ email: Email | null; bytes: number } | undefined> {
  const { rows } = await sql<Omit<Email, 'mode'> & { source: Buffer | null; bytes: number; fits: boolean }>`
    select email.id, from_address as "from", to_addresses as "to", cc_addresses as "cc", bcc_addresses as "bcc", subject,
      case when fits then content.html end as html, case when fits then content.text end as text,
      case when fits then source end as source, tags, status, scheduled_at as "scheduledAt", created_at as "createdAt", bytes, fits
    from emails as email
    ${withContent}
    cross join lateral (select ${contentBytes} as bytes) as size
    cross join lateral (select bytes <= ${bytesMax} as fits) as bound
    where email.team_id = ${teamId} and email.id = ${id} and (${domainId}::uuid is null or email.domain_id = ${domainId})
      and (${system} or not email.system)
  `.execute(db)
  if (!rows[0]) return undefined
  const { source, bytes, fits, ...email } = rows[0]
  // A short submitted message holds its texts (`holdsTexts`), and their columns are null.
  return { email: fits ? { ...email, ...(source && shownTexts(source)), mode: modeOf(teamId) } : null, bytes }
}

/** Finds the bytes that reading an email's bodies takes, without reading them. */
export async function findEmailBytes(db: Db, teamId: string, id: string): Promise<number | null> {
  const { rows } = await sql<{ bytes: number }>`
    select ${contentBytes} as bytes from emails as email ${withContent} where email.team_id = ${teamId} and email.id = ${id}
  `.execute(db)
  return rows[0]?.bytes ?? null
}

const withContent = sql`
  left join email_contents as content on content.team_id = email.team_id and content.email_id = email.id
  left join email_letters as letter on letter.team_id = content.team_id and letter.id = content.letter_id
`

/**
 * The bodies of a broadcast count without their values. A message counts twice, because the bodies are decoded from it.
 */
const contentBytes = sql`(
  coalesce(octet_length(content.html), 0) + coalesce(octet_length(content.text), 0) + 2 * coalesce(octet_length(content.source), 0)
    + coalesce(octet_length(letter.html), 0) + coalesce(octet_length(letter.text), 0)
)`

/** Tells whether an email exists and is among those seen, without reading its bodies. */
export async function hasEmail(db: Db, teamId: string, id: string, { domainId, system }: Seen): Promise<boolean> {
  const { rows } = await sql`
    select from emails where team_id = ${teamId} and id = ${id} and (${domainId}::uuid is null or domain_id = ${domainId})
      and (${system} or not system)
  `.execute(db)
  return rows.length > 0
}

/** Returns those of the ids that are emails of the team. */
export async function listPresent(db: Db, teamId: string, ids: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from emails where team_id = ${teamId} and id = any(${ids}::uuid[])
  `.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Finds the data by which an email of a broadcast differs from the others. Undefined for other emails. */
export async function findBroadcastEmail(db: Db, teamId: string, id: string): Promise<BroadcastEmail | undefined> {
  const { rows } = await sql<BroadcastEmail>`
    select team_id as "teamId", letter_id as "broadcastId", coalesce(variables, '{}') as variables,
      unsubscribe_seed as "unsubscribeSeed"
    from email_contents where team_id = ${teamId} and email_id = ${id} and letter_id is not null
  `.execute(db)
  return rows[0]
}

export type EmailEvent = { id: string; type: string; createdAt: Date; data: Record<string, unknown> | null }

/** The most events of an email in one answer. An email has few, except for opens and clicks. */
const eventsMax = 1000

/** Lists the newest events of an email, newest first, up to `eventsMax` and the bytes of a page. */
export async function listEmailEvents(db: Db, teamId: string, emailId: string): Promise<EmailEvent[]> {
  const newest = db
    .selectFrom('email_events')
    .select(['id', 'type', 'created_at as createdAt', 'data'])
    .where('team_id', '=', teamId)
    .where('email_id', '=', emailId)
    .orderBy('id', 'desc')
    .limit(eventsMax)
  return (await takeContent(db, newest, { limit: eventsMax, bytes: bytesOf('data') })).rows
}
