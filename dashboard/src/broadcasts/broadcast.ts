import type { Answer } from '../api/request.ts'
import { oneOf } from '../api/use-one.ts'

export type Broadcast = Answer<'/v1/broadcasts/:id'>
export type BroadcastStats = Answer<'/v1/broadcasts/:id/stats'>
export type BroadcastAudience = Answer<'/v1/broadcasts/:id/audience'>

export const broadcastOf = (id: string) => oneOf('/v1/broadcasts/:id', { id })
export const statsOf = (id: string) => oneOf('/v1/broadcasts/:id/stats', { id })
export const audienceOf = (id: string) => oneOf('/v1/broadcasts/:id/audience', { id })

/** Tells whether it is on its way: its figures change by the second. */
export function isUnderWay({ status }: Pick<Broadcast, 'status'>): boolean {
  return status === 'queued' || status === 'sending'
}

/** Why recipients are left out, by the names of the API. */
export const reasons = {
  unsubscribed: 'unsubscribed',
  suppressed: 'suppressed: the address bounced, complained or was blocked',
  notOptedIn: 'not opted in to the topic',
  cancelled: 'not reached before it was cancelled',
  failed: 'failed: the email could not be made or sent',
}
