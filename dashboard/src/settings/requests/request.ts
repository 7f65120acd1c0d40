import type { Answer } from '../../api/request.ts'

export type LoggedRequest = Answer<'/v1/requests/:requestId'>

/** Returns the status that the look of a status of HTTP is taken from. */
export function lookOfAnswer(status: number): string {
  if (status >= 500) return 'failed'
  return status >= 400 ? 'pending' : 'succeeded'
}

export const whoReads = 'Owners, admins and developers read the request log.'
