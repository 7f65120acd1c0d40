import type { App } from '../context.ts'
import { forbidden } from '../platform/errors.ts'

/**
 * Throws `forbidden`, named `signup_closed`, if sign-up is closed: then only the operator makes teams, and people join
 * by invitation.
 */
export function refuseClosedTeams({ config }: Pick<App, 'config'>): void {
  if (config.signup !== 'closed') return
  throw forbidden(
    'Sign-up is closed here, so only the operator makes teams (posthorn team create). Ask for one, or for an invitation to a team.',
    'signup_closed',
  )
}

/** Throws `forbidden` if sign-up is closed. Applies to a first sign-in through a provider too. */
export function refuseClosedSignup(app: Pick<App, 'config'>): void {
  if (app.config.signup === 'closed') throw forbidden('Sign-up is closed here. Ask the operator for an account.')
}
