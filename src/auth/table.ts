export type RecoveryCodesTable = { user_id: string; code_hash: Buffer; used_at: Date | null }

export type UserIdentitiesTable = {
  /** As the operator called it when the row was made. */
  provider: string
  /** Null for rows from before it was noted, until their provider is used again. */
  issuer: string | null
  subject: string
  user_id: string
  created_at: Date
}

/** One row a login, through all the rotations of its token. */
export type RefreshTokensTable = {
  family_id: string
  user_id: string
  team_id: string
  /** Of the one live token. */
  token_hash: Buffer
  /** Of the token before it. */
  previous_hash: Buffer | null
  rotated_at: Date
  created_at: Date
  expires_at: Date
  revoked_at: Date | null
}

export type KnownNetworksTable = { user_id: string; network_hash: Buffer; last_used_at: Date }

export type LoginFailuresTable = { subject: string; failed_at: Date }
