import type { Caller, Role } from '../../context.ts'
import { type DomainError, forbidden } from '../../platform/errors.ts'
import type { Route } from '../../platform/http/route.ts'
import { everybody } from './roles.ts'

/** Returns the roles that may call a route. None, if a change names none. */
export function rolesOf({ method, roles }: Pick<Route, 'method' | 'roles'>): readonly Role[] {
  return roles ?? (method === 'GET' ? everybody : [])
}

/**
 * Throws `forbidden` if the role of a signed-in user may not call the route, or if the user's team requires a second
 * factor that the user does not have. API keys pass: their permission was checked before.
 */
export function refuseRole(caller: Caller, route: Pick<Route, 'method' | 'roles' | 'forSetup'>): void {
  if (caller.kind !== 'user') return
  if (caller.needsTwoFactor && !route.forSetup) {
    throw forbidden(
      'This team requires two-factor authentication. Set it up with POST /auth/2fa/setup, or switch to another team.',
      'two_factor_setup_required',
    )
  }
  refuseOtherRole(caller, rolesOf(route))
}

/** Throws `forbidden` if a signed-in user has none of these roles. */
export function refuseOtherRole(caller: Caller, may: readonly Role[]): void {
  if (caller.kind === 'user' && !hasRole(caller, may)) throw roleForbidden(may, caller.role)
}

export function hasRole({ role }: Caller, may: readonly Role[]): boolean {
  return role !== undefined && may.includes(role)
}

/** The refusal of a role. It says which roles may. */
export function roleForbidden(may: readonly Role[], role: Role | undefined): DomainError {
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(may)
  return forbidden(
    `This needs the role ${list || '(none may)'}; your role in this team is ${role ?? 'none'}.`,
    'forbidden',
  )
}
