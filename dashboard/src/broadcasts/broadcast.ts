import type { Static } from 'typebox'
import type { BroadcastAudience as Audience } from '../../../src/broadcasts/results/schema.ts'
import type { BroadcastStats as Stats, Broadcast as Stored } from '../../../src/broadcasts/schema.ts'
import type { Json } from '../api/json.ts'
import { oneOf } from '../api/use-one.ts'

export type Broadcast = Json<Stored>
export type BroadcastStats = Json<Stats>
export type BroadcastAudience = Json<Static<typeof Audience>>

export const path = '/v1/broadcasts'

export const broadcastOf = (id: string) => oneOf<Broadcast>(path, id)
export const statsOf = (id: string) => oneOf<BroadcastStats>(path, id, '/stats')
export const audienceOf = (id: string) => oneOf<BroadcastAudience>(path, id, '/audience')

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
