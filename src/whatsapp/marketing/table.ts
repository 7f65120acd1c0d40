declare module '../../database.ts' {
  interface Database {
    whatsapp_marketing_choices: WhatsappMarketingChoicesTable
  }
}

export type WhatsappMarketingChoicesTable = {
  team_id: string
  sender_id: string
  phone_number: string
  choice: 'stop' | 'resume'
  made_at: Date
}
