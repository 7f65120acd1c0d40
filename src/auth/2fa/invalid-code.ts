import { DomainError } from '../../platform/errors.ts'

/** The refusal of a wrong code from a signed-in user: the request is invalid (400), the session stays valid. */
export function invalidCode(): DomainError {
  return new DomainError('invalid', 'The code is wrong, expired or already used. Send the one the app shows now.', {
    name: 'invalid_two_factor_code',
  })
}
