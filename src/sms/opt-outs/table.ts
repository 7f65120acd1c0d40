declare module '../../database.ts' {
  interface Database {
    sms_opt_outs: {
      team_id: string
      id: string
      phone_number: string
      reason: 'keyword' | 'manual'
      created_at: Date
    }
    sms_keywords: { team_id: string; phone_number: string; written_at: Date }
    sms_keyword_messages: { id: string; received_at: Date }
  }
}
