import type { Generated } from 'kysely'

declare module '../../database.ts' {
  interface Database {
    inbox_sms: {
      team_id: string
      id: string
      message_id: string
      from_sender: string
      to_number: string
      body: string
      created_at: Date
      direction: Generated<'outbound' | 'inbound'>
    }
  }
}
