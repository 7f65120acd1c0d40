declare module '../database.ts' {
  interface Database {
    number_assignments: {
      channel: NumberChannel
      /** SMS: in E.164 form, or a short code. WhatsApp: the phoneNumberId. */
      number: string
      team_id: string
      made_by: 'operator' | 'claim'
      created_at: Date
    }
  }
}

export type NumberChannel = 'sms' | 'whatsapp'
