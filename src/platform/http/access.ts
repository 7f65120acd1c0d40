import type { Caller } from '../../context.ts'
import { type DomainError, forbidden, unauthenticated } from '../errors.ts'
import type { Route } from './route.ts'

/** Returns why a caller may not make requests of a route, whatever they contain; null if it may. */
export function refusalOf(
  { access, closedToDomainKeys }: Pick<Route, 'access' | 'closedToDomainKeys'>,
  caller: Caller | null,
): DomainError | null {
  if (access === 'public') return null
  if (!caller) return unauthenticated('Send an API key or an access token: Authorization: Bearer <key>.')
  const { kind, permission, domainId } = caller
  if (access === 'user' && kind !== 'user') return forbidden('This endpoint is for signed-in users, not for API keys.')
  if (access === 'full' && permission !== 'full_access')
    return forbidden('This needs an API key with full_access; this one has sending_access.')
  if (closedToDomainKeys && permission === 'sending_access' && domainId !== null)
    return forbidden('This API key is restricted to one domain and sends email only. Use a key without a domain.')
  return null
}

/**
 * Returns why a request of test mode is refused: the route would leave it or is about the account, or it changes what
 * both modes share. Null if it is not.
 */
export function refusalInTest(
  { method, inTest }: Pick<Route, 'method' | 'inTest'>,
  { mode }: Caller,
): DomainError | null {
  if (mode !== 'test' || inTest === 'apart' || inTest === 'walled') return null
  if (inTest !== 'shared') return forbidden('This is not part of test mode. Use a live key, or sign in.')
  if (method === 'GET') return null
  return forbidden(
    'Test mode reads this and does not change it, because live messages use it. Use a live key, or sign in.',
  )
}
