declare module '../database.ts' {
  interface Database {
    number_assignments: NumberAssignmentsTable
  }
}

export type NumberChannel = 'sms' | 'whatsapp'

export type NumberAssignmentsTable = {
  channel: NumberChannel
  /** SMS: in E.164 form, or a short code. WhatsApp: the phoneNumberId. */
  number: string
  team_id: string
  made_by: 'operator' | 'claim'
  created_at: Date
}
