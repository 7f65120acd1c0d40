import { DomainError } from '../../platform/errors.ts'

/** A wrong code of somebody who is signed in already: a fault of the request, not of who sends it. */
export function invalidCode(): DomainError {
  return new DomainError('invalid', 'The code is wrong, too old or used already. Send the one the app shows now.', {
    name: 'invalid_two_factor_code',
  })
}
