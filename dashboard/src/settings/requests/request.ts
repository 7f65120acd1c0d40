import type { Static } from 'typebox'
import type { LoggedRequest as LoggedRequestSchema } from '../../../../src/requests/schema.ts'
import type { Json } from '../../api/json.ts'
import type { Role } from '../../session/me.ts'

export type LoggedRequest = Json<Static<typeof LoggedRequestSchema>> & { id: string }

export const requestsPath = '/v1/requests'

/** Returns the status that the look of a status of HTTP is taken from. */
export function lookOfAnswer(status: number): string {
  if (status >= 500) return 'failed'
  return status >= 400 ? 'pending' : 'succeeded'
}

/** The roles that read the request log, as in the server's table of roles. */
export const readerRoles: Role[] = ['owner', 'admin', 'developer']
export const whoReads = 'Owners, admins and developers read the request log.'
