import type { Role } from '../../context.ts'

declare module '../../database.ts' {
  interface Database {
    team_invitations: {
      team_id: string
      id: string
      /** The address as it was given. */
      email: string
      email_lower: string
      role: Role
      /** The member who invited. */
      invited_by: string
      created_at: Date
      expires_at: Date
    }
    team_invitation_tokens: {
      token_hash: Buffer
      team_id: string
      invitation_id: string
      /** True if the link was mailed, and so proves the address. */
      mailed: boolean
    }
  }
}
