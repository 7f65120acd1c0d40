import type { Generated } from 'kysely'

declare module '../database.ts' {
  interface Database {
    inbox_messages: {
      team_id: string
      id: string
      email_id: string
      from_address: string
      to_addresses: string[]
      bcc_addresses: string[]
      subject: string
      raw: Buffer
      /** Mail of the installation to its users. Only owners and admins see it. */
      system: Generated<boolean>
      created_at: Date
    }
  }
}
