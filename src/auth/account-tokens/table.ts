export type AccountTokensTable = {
  token_hash: Buffer
  user_id: string
  purpose: 'password_reset' | 'email_verification' | 'browser_start'
  /** How the link reached its owner. */
  issued_by: 'operator' | 'mail'
  created_at: Date
  expires_at: Date
}
