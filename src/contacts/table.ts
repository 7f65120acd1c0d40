import type { ColumnType, Generated } from 'kysely'

export type ContactsTable = {
  team_id: string
  id: string
  email: string
  /** The address in lower case with its domain in punycode, unique in a team. */
  email_key: string
  first_name: string | null
  last_name: string | null
  phone_number: string | null
  unsubscribed: Generated<boolean>
  /** JSON is written as text. */
  properties: ColumnType<Record<string, unknown>, string | undefined, string>
  unsubscribe_seed: string
  unsubscribe_hash: string
  created_at: Date
  updated_at: Date
  search_text: ColumnType<string, never, never>
}
