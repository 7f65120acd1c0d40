import type { Generated } from 'kysely'

declare module '../../database.ts' {
  interface Database {
    account_tokens: {
      token_hash: Buffer
      user_id: string
      purpose: 'password_reset' | 'email_verification' | 'browser_start' | 'email_change'
      /** How the link reached its owner. */
      issued_by: 'operator' | 'mail'
      /** The address that a link of the purpose `email_change` gives to the account. */
      email: Generated<string | null>
      created_at: Date
      expires_at: Date
    }
  }
}
