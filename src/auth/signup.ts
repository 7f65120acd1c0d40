import type { App } from '../context.ts'
import { createAccount, usualTeamName } from './create-account.ts'
import { refuseCommonPassword } from './passwords/common-passwords.ts'
import { hashPassword } from './passwords/password.ts'
import { refuseClosedSignup } from './refuse-closed.ts'
import { openLogin, type Session, sessionOf } from './sessions/open.ts'
import { requestFirstVerification } from './verification/request.ts'

type Signup = { email: string; password: string; name?: string; teamName?: string; clientAddress: string }

/**
 * Creates an account with a new team and signs it in. Throws `forbidden` if sign-up is closed, `conflict` if the
 * address has an account.
 */
export async function signup(app: App, request: Signup): Promise<Session> {
  refuseClosedSignup(app)
  refuseCommonPassword(request.password)
  const { email, clientAddress, name = null, teamName = usualTeamName(email, name) } = request
  const passwordHash = await hashPassword(app, request.password)
  const login = await app.transaction(async (tx) => {
    const account = await createAccount(tx, { email, name, passwordHash, emailVerified: false, teamName })
    await requestFirstVerification(tx, app, account, clientAddress)
    return openLogin(tx, app, account.userId, clientAddress, { isFirst: true })
  })
  return await sessionOf(app, login)
}
