import type { Caller, Role } from '../../context.ts'
import { type DomainError, forbidden } from '../../platform/errors.ts'
import type { Route } from '../../platform/http/route.ts'
import { rules } from './table.ts'

const rolesByRoute = new Map(rules.flatMap(({ roles, routes }) => routes.map((route) => [route, roles] as const)))

/** Open to members who have yet to set up the second factor that their team requires. */
const forSetup =
  /^\w+ \/auth\/(2fa\/\w+|sessions(\/:id)?|session|reauthenticate|logout|switch)$|^(GET|PATCH|DELETE) \/auth\/me$|^GET \/auth\/teams$/

/**
 * Throws `forbidden` if the role of a signed-in user may not call the route, or if the user's team requires a second factor
 * that the user does not have. API keys pass: their permission was checked before.
 */
export function refuseRole(caller: Caller, { method, path }: Pick<Route, 'method' | 'path'>): void {
  if (caller.kind !== 'user') return
  const name = `${method} ${path}`
  if (caller.needsTwoFactor && !forSetup.test(name)) {
    throw forbidden(
      'This team requires two-factor authentication. Set it up with POST /auth/2fa/setup, or switch to another team.',
      'two_factor_setup_required',
    )
  }
  const may = rolesByRoute.get(name) ?? []
  if (!caller.role || !may.includes(caller.role)) throw roleForbidden(may, caller.role)
}

/** Tells whether the role of a signed-in user may call a route, given as `METHOD /path`. */
export function mayCall({ role }: Caller, name: string): boolean {
  return role !== undefined && (rolesByRoute.get(name)?.includes(role) ?? false)
}

/** The refusal of a role. It says which roles may. */
export function roleForbidden(may: readonly Role[], role: Role | undefined): DomainError {
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(may)
  return forbidden(
    `This needs the role ${list || '(none may)'}; your role in this team is ${role ?? 'none'}.`,
    'forbidden',
  )
}
