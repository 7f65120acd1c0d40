import type { Tx } from '../../context.ts'
import type { Account } from '../../teams/account.ts'

type State = Pick<Account, 'email' | 'passwordHash'>
type Keys = Pick<Tx, 'keyring'>

const purpose = 'account-state'

/**
 * Signs the address and the password that an account has now. A job keeps the result, to tell later whether either was
 * changed since.
 */
export function signState({ keyring }: Keys, state: State): string {
  return keyring.sign(purpose, textOf(state), 24).toString('base64url')
}

/** Tells whether an account still has the address and the password that were signed. */
export function isInState({ keyring }: Keys, state: State, signed: string): boolean {
  return keyring.verify(purpose, textOf(state), Buffer.from(signed, 'base64url'))
}

function textOf({ email, passwordHash }: State): string {
  return JSON.stringify([email, passwordHash])
}
