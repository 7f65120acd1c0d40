import type { Generated } from 'kysely'

declare module '../database.ts' {
  interface Database {
    templates: {
      team_id: string
      id: string
      name: string
      html: string | null
      text: string | null
      status: Generated<'draft' | 'published'>
      created_at: Date
      updated_at: Date
    }
  }
}
