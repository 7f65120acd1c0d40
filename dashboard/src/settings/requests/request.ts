import type { Answer } from '../../api/request.ts'
import { whoMay } from '../../session/me.ts'

export type LoggedRequest = Answer<'/v1/requests/:requestId'>

/** Returns the status that the look of a status of HTTP is taken from. */
export function lookOfAnswer(status: number): string {
  if (status >= 500) return 'failed'
  return status >= 400 ? 'pending' : 'succeeded'
}

export const whoReads = `${whoMay('GET /v1/requests')} read the request log.`
