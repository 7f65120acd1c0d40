import type { ColumnType, Generated } from 'kysely'

declare module '../../database.ts' {
  interface Database {
    whatsapp_templates: {
      team_id: string
      id: string
      name: string
      language: string
      category: WhatsappTemplateCategory
      body: string
      variable_count: number
      components: ColumnType<Record<string, unknown> | null, string | null, string | null>
      status: WhatsappTemplateStatus
      provider_ref: string | null
      waba_id: Generated<string | null>
      rejection_reason: string | null
      created_at: Date
      updated_at: Date
    }
  }
}

export type WhatsappTemplateStatus = 'draft' | 'submitted' | 'approved' | 'rejected' | 'disabled'
export type WhatsappTemplateCategory = 'marketing' | 'utility' | 'authentication'
