declare module '../../database.ts' {
  interface Database {
    whatsapp_marketing_choices: {
      team_id: string
      sender_id: string
      phone_number: string
      choice: 'stop' | 'resume'
      made_at: Date
    }
  }
}
