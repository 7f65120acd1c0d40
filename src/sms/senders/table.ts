import type { Generated } from 'kysely'
import type { MessageType } from '../table.ts'

declare module '../../database.ts' {
  interface Database {
    sms_senders: {
      team_id: string
      id: string
      name: string
      sender_id: string
      sender_type: SmsSenderType
      status: Generated<SmsSenderStatus>
      default_message_type: MessageType
      country: string
      provider_ref: Generated<string | null>
      rejection_reason: Generated<string | null>
      created_at: Date
      updated_at: Date
    }
  }
}

export type SmsSenderType = 'alphanumeric_id' | 'long_code' | 'toll_free' | 'short_code'

export type SmsSenderStatus = 'not_started' | 'pending' | 'active' | 'failed' | 'rejected' | 'suspended'
