import type { App } from '../context.ts'
import { forbidden } from '../platform/errors.ts'
import { createAccount, usualTeamName } from './create-account.ts'
import { refuseCommonPassword } from './passwords/common-passwords.ts'
import { hashPassword } from './passwords/password.ts'
import { openLogin, type Session, sessionOf } from './sessions/open.ts'

export type Signup = { email: string; password: string; name?: string; teamName?: string; clientAddress: string }

/** An account with a team of its own, signed in. Throws `forbidden` where sign-up is closed, `conflict` for a taken address. */
export async function signup(app: App, request: Signup): Promise<Session> {
  refuseClosedSignup(app)
  refuseCommonPassword(request.password)
  const { email, clientAddress, name = null, teamName = usualTeamName(email, name) } = request
  const passwordHash = await hashPassword(request.password)
  const login = await app.transaction(async (tx) => {
    const { userId } = await createAccount(tx, { email, name, passwordHash, emailVerified: false, teamName })
    return openLogin(tx, app, userId, clientAddress)
  })
  return await sessionOf(app, login)
}

/** Throws `forbidden`; also for a first sign-in through a provider. */
export function refuseClosedSignup(app: Pick<App, 'config'>): void {
  if (app.config.signup === 'closed') throw forbidden('Sign-up is closed here. Ask the operator for an account.')
}
