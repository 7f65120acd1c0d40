/**
 * The routes that ask a signed-in user for the password or a code again, with the requests of them that do. To add one, write
 * `METHOD /path` here, call `refuseStaleLogin` where the request is handled, and put `asksAgain` into its description. A test
 * tries each of them, and all other routes, with a login that is too old.
 */
const routes = {
  'POST /auth/2fa/setup': '',
  'POST /auth/2fa/verify': '',
  'POST /auth/me/email': '',
  'DELETE /auth/me': '',
  'POST /v1/api-keys': ' for a `full_access` key',
  'PATCH /v1/api-keys/:id': ' for the permission or expiry of a `full_access` key, and to make the key one',
  'DELETE /v1/api-keys/:id': ' for a `full_access` key',
  'POST /v1/team/invitations': ' for the role owner or admin',
  'PATCH /v1/team/members/:userId': ' if the member is or becomes an owner or admin',
  'DELETE /v1/team/members/:userId': ' if the member is an owner or admin',
  'PATCH /v1/team': ' to switch `requireTwoFactor` off',
  'DELETE /v1/team': '',
  'POST /v1/privacy/requests': ' for an `export`',
} as const

export type AskingRoute = keyof typeof routes

export const askingRoutes = Object.keys(routes) as AskingRoute[]

/** Returns the sentence about it for the description of a route. */
export function asksAgain(route: AskingRoute): string {
  return `A login older than 15 minutes is 403 \`reauthentication_required\`${routes[route]}.`
}
