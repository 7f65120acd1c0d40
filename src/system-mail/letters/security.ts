import type { App } from '../../context.ts'
import type { SecurityChange } from '../../events.ts'
import type { Order } from '../jobs.ts'
import { type Letter, quoted, timeOf } from '../letter.ts'
import { hostOf } from './post.ts'

const texts: Record<SecurityChange, { subject: string; change: string; ifNot: string }> = {
  password: {
    subject: 'Your password was changed',
    change: 'got a new password',
    ifNot: 'ask for a link that sets a new password, which ends every session.',
  },
  two_factor_on: {
    subject: 'Two-factor was switched on',
    change: 'asks for a code of an authenticator app at each sign-in from now on',
    ifNot: 'set a new password, which ends every session, and ask the operator to take the second factor away.',
  },
  two_factor_off: {
    subject: 'Two-factor was switched off',
    change: 'asks for the password alone at each sign-in from now on',
    ifNot: 'set a new password, which ends every session, and switch two-factor on again.',
  },
}

/**
 * Writes that an account is signed in to in another way from now on, so that its owner notices if it was another
 * person.
 */
export function securityLetter(
  app: Pick<App, 'publicUrl'>,
  email: string,
  { change: kind, address, at }: Extract<Order, { about: 'security' }>,
): Letter {
  const { subject, change, ifNot } = texts[kind]
  const from = address === null ? '' : ` Network address: ${quoted(address)}.`
  return {
    subject,
    paragraphs: [
      `The account ${email} at ${hostOf(app)} ${change}.`,
      `Time: ${timeOf(new Date(at))}.${from}`,
      `If this was you, there is nothing to do. If it was not, ${ifNot}`,
    ],
  }
}
