import type { ColumnType, Generated } from 'kysely'
import type { TextColumn } from './fields.ts'

declare module '../database.ts' {
  interface Database {
    contacts: { [Column in TextColumn]: string | null } & {
      team_id: string
      id: string
      email: string
      /** The address in lower case with its domain in punycode, unique in a team. */
      email_key: string
      unsubscribed: Generated<boolean>
      /** JSON is written as text. */
      properties: ColumnType<Record<string, unknown>, string | undefined, string>
      unsubscribe_seed: string
      unsubscribe_hash: string
      /** That of the suppression, if the address is that of an erased person. */
      erased_form: string | null
      created_at: Date
      updated_at: Date
      search_text: ColumnType<string, never, never>
    }
  }
}
