import type { Generated, JSONColumnType } from 'kysely'
import type { LimitOverrides, Plan } from '../context.ts'

export type TeamsTable = {
  id: string
  name: string
  plan: Generated<Plan>
  limit_overrides: JSONColumnType<LimitOverrides, string | undefined, string>
  created_at: Date
}

export type UsersTable = {
  id: string
  /** As given at signup. */
  email: string
  /** As compared: addresses are one account whatever their case. */
  email_lower: string
  name: string | null
  /** Null for those who only sign in through a provider. */
  password_hash: string | null
  /** Encrypted; set once two-factor is on. */
  totp_secret: string | null
  /** Encrypted; between setup and its confirmation. */
  totp_pending_secret: string | null
  /** The last time step whose code was accepted: each code works once. */
  totp_last_step: string | null
  /** Set once the person has proven that the address is theirs. */
  email_verified_at: Date | null
  created_at: Date
}

export type TeamMembersTable = {
  team_id: string
  user_id: string
  role: 'owner' | 'member'
  created_at: Date
}
