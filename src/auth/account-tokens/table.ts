export type AccountTokensTable = {
  token_hash: Buffer
  user_id: string
  purpose: 'password_reset' | 'email_verification'
  /** Who handed the link over. */
  issued_by: 'operator' | 'mail'
  created_at: Date
  expires_at: Date
}
