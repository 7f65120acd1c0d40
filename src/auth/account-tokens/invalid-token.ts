import { DomainError } from '../../platform/errors.ts'

/** The refusal of a token that was used, has expired or is unknown. It is the same for all three. */
export function invalidToken(): DomainError {
  return new DomainError('invalid', 'This link was already used, has expired or does not exist. Ask for a new one.', {
    name: 'invalid_token',
  })
}
