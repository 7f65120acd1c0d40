import { isTestTeam, modeOf } from '../platform/mode/mode.ts'
import type { EventType } from './event-types.ts'

/** An event as payloads are made from it. */
export type Told = {
  type: EventType
  teamId: string
  at: Date
  data: { emailId: string; details: Record<string, unknown> | null }
}

/** Serializes the payload of an event. These bytes are signed and sent. */
export function payloadOf({ type, teamId, at, data }: Told): string {
  return JSON.stringify({
    type,
    ...(isTestTeam(teamId) && { mode: modeOf(teamId) }),
    created_at: at.toISOString(),
    data: { email_id: data.emailId, details: data.details },
  })
}
