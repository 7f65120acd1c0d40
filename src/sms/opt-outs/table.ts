declare module '../../database.ts' {
  interface Database {
    sms_opt_outs: SmsOptOutsTable
    sms_keywords: SmsKeywordsTable
    sms_keyword_messages: SmsKeywordMessagesTable
  }
}

export type SmsOptOutsTable = {
  team_id: string
  id: string
  phone_number: string
  reason: 'keyword' | 'manual'
  created_at: Date
}

export type SmsKeywordMessagesTable = { id: string; received_at: Date }

export type SmsKeywordsTable = { team_id: string; phone_number: string; written_at: Date }
