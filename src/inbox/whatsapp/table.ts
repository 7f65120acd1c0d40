import type { Generated } from 'kysely'

declare module '../../database.ts' {
  interface Database {
    inbox_whatsapp: {
      team_id: string
      id: string
      message_id: string
      from_number: string
      to_number: string
      body: string
      template_name: string | null
      created_at: Date
      direction: Generated<'outbound' | 'inbound'>
    }
  }
}
