import type { Generated, JSONColumnType } from 'kysely'
import type { LimitOverrides, Plan, Role } from '../context.ts'

declare module '../database.ts' {
  interface Database {
    teams: {
      id: string
      name: string
      plan: Generated<Plan>
      limit_overrides: JSONColumnType<LimitOverrides, string | undefined, string>
      created_at: Date
      /** Members without a second factor can only set one up. */
      require_two_factor: Generated<boolean>
      /** Set when the team is deleted. Its rows are removed after that, and this row last. */
      deleted_at: Date | null
      /** Set on the row under which a team's test keys store what they send; the database makes it with the team. */
      test_of: Generated<string | null>
    }
    users: {
      id: string
      /** The address as given at sign-up. */
      email: string
      /** The address in lower case. It is unique, so addresses that differ in case are one account. */
      email_lower: string
      name: string | null
      /** Null for users who sign in through a provider only. */
      password_hash: string | null
      /** Encrypted. Set once two-factor is on. */
      totp_secret: string | null
      /** Encrypted. Set between setup and confirmation. */
      totp_pending_secret: string | null
      /** The last time step whose code was accepted. A code of it or an earlier step is refused. */
      totp_last_step: string | null
      /** Set once the user has proven to own the address. */
      email_verified_at: Date | null
      created_at: Date
    }
    team_members: {
      team_id: string
      user_id: string
      role: Role
      created_at: Date
    }
    /** Added to `stored_bytes` of `email_usage` every few seconds. */
    stored_byte_changes: { id: Generated<string>; team_id: string; change: string }
  }
}
