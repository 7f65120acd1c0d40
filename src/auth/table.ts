import type { Generated } from 'kysely'

declare module '../database.ts' {
  interface Database {
    recovery_codes: { user_id: string; code_hash: Buffer; used_at: Date | null }
    user_identities: {
      /** The provider's name at the time the row was created. */
      provider: string
      /** Null for rows older than this column, until their provider is used again. */
      issuer: string | null
      subject: string
      user_id: string
      created_at: Date
    }
    /**
     * One row for each login. It is kept through all rotations of the token. `loginId` is its `family_id`, and so is
     * `sessionId` of a caller, since the API calls a login a session.
     */
    refresh_tokens: {
      family_id: string
      user_id: string
      team_id: string
      /** Hash of the one valid token. */
      token_hash: Buffer
      /** Hashes of the tokens that were replaced within ten seconds before the last replacement, oldest first. */
      used_hashes: Generated<Buffer[]>
      /** When each of them was replaced. */
      used_at: Generated<Date[]>
      created_at: Date
      expires_at: Date
      revoked_at: Date | null
      /** The client of the last sign-in or refresh, at most 200 characters. Null if it names none. */
      user_agent: string | null
      /** The client's address at the last sign-in or refresh. Null for rows older than this column. */
      address: string | null
      last_seen_at: Generated<Date>
      /** When the person last gave the password or a code in this login. */
      confirmed_at: Generated<Date>
      /** Hash of the cookie of a browser session. Such a login has no refresh token. */
      cookie_hash: Buffer | null
    }
    login_failures: { subject: string; failed_at: Date }
    known_networks: { user_id: string; network_hash: Buffer; last_used_at: Date }
  }
}
