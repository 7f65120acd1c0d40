declare module '../../database.ts' {
  interface Database {
    whatsapp_senders: {
      team_id: string
      id: string
      name: string
      phone_number: string
      display_name: string | null
      phone_number_id: string | null
      waba_id: string | null
      status: WhatsappSenderStatus
      rejection_reason: string | null
      created_at: Date
      updated_at: Date
    }
  }
}

export type WhatsappSenderStatus = 'not_started' | 'pending' | 'active' | 'failed' | 'rejected' | 'suspended'
