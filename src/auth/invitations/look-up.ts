import type { App, Role } from '../../context.ts'
import { findUserByEmail } from '../../teams/queries.ts'
import { invalidToken } from '../account-tokens/invalid-token.ts'
import { hashToken } from '../account-tokens/token.ts'
import { findInvited } from './queries.ts'

type InvitationTerms = { teamName: string; email: string; role: Role; accountExists: boolean }

/**
 * Says what a link invites to. Throws `invalid`, named `invalid_token`, for a token that is used, expired or unknown.
 */
export async function lookUpInvitation(app: App, token: string): Promise<InvitationTerms> {
  const invited = await findInvited(app.db, hashToken(token), app.clock.now())
  if (!invited) throw invalidToken()
  const { teamName, email, role } = invited
  return { teamName, email, role, accountExists: (await findUserByEmail(app.db, email)) !== null }
}
