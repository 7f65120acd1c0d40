import { type RawBuilder, sql } from 'kysely'
import { someLikeAnyCase } from '../../platform/sql/like.ts'
import type { EmailListItem } from '../schema.ts'
import { conditionsOf, type EmailFilter } from './filter.ts'

/**
 * A text in the subject or the sender, as a pattern of `ilike`. With an address, given by its `addressForms`, also the
 * emails to it.
 */
export type SearchText = { pattern: string; addresses: string[] | null }

export type ListedEmail = Omit<EmailListItem, 'mode'>

/** `count` emails with ids before `before`; null for the newest. */
export type PageBounds = { before: string | null; count: number }

/** The statement that gives a page, and the exact number of all matches, or the SQL that gives it. */
export type Selection = { rows: RawBuilder<ListedEmail>; total: number | RawBuilder<string> }

export const columns = sql`
  email.id, email.from_address as "from", email.to_addresses as "to", email.subject, email.status,
  email.domain_name as "domainName", email.sent_at as "sentAt", email.created_at as "createdAt"
`

export function hasText({ pattern, addresses }: SearchText) {
  const holds = someLikeAnyCase(['email.subject', 'email.from_address'], pattern)
  return addresses === null ? holds : sql`(${holds} or ${isTo(addresses)})`
}

/**
 * The condition that one of these is in to, cc or bcc, which an index finds. They are the `addressForms` of an address.
 */
export function isTo(addresses: string[]) {
  return sql`email_recipients(email.to_addresses, email.cc_addresses, email.bcc_addresses) && ${addresses}::text[]`
}

/** The condition that an email matches the filter and is older than `before`. */
export function matches(filter: EmailFilter, before: string | null) {
  const conditions = conditionsOf(filter, 'email')
  if (before) conditions.push(sql`email.id < ${before}`)
  if (filter.hidesSystem) conditions.push(sql`not email.system`)
  return sql.join(conditions, sql` and `)
}
