import { useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { RateLimits as Limits } from '../../../src/rate-limits/schema.ts'
import type { TeamRetention } from '../../../src/teams/retention/schema.ts'
import type { Team as TeamSchema } from '../../../src/teams/schema.ts'
import { get } from '../api/call.ts'
import type { Json } from '../api/json.ts'
import { keys } from '../api/keys.ts'

export type Team = Json<Static<typeof TeamSchema>>
export type Retention = Json<Static<typeof TeamRetention>>
export type RateLimits = Json<Static<typeof Limits>>

export const teamPath = '/v1/team'
export const retentionPath = '/v1/team/retention'

export const teamQuery = {
  queryKey: keys.part('team', 'team'),
  queryFn: ({ signal }: { signal: AbortSignal }) => get<Team>(teamPath, { signal }),
}
export const retentionQuery = {
  queryKey: keys.part('team/retention', 'retention'),
  queryFn: ({ signal }: { signal: AbortSignal }) => get<Retention>(retentionPath, { signal }),
}
export const limitsQuery = {
  queryKey: keys.part('rate-limits', 'limits'),
  queryFn: ({ signal }: { signal: AbortSignal }) => get<RateLimits>('/v1/rate-limits', { signal }),
}

export function useTeam() {
  return useQuery(teamQuery)
}
