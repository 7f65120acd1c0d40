import type { Static } from 'typebox'
import type { LoggedRequest as LoggedRequestSchema } from '../../../../src/requests/schema.ts'
import type { Json } from '../../api/json.ts'

export type LoggedRequest = Json<Static<typeof LoggedRequestSchema>> & { id: string }

export const requestsPath = '/v1/requests'

/** Returns the status that the look of a status of HTTP is taken from. */
export function lookOfAnswer(status: number): string {
  if (status >= 500) return 'failed'
  return status >= 400 ? 'pending' : 'succeeded'
}

export const whoReads = 'Owners, admins and developers read the request log.'
