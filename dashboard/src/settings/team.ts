import { useQuery } from '@tanstack/react-query'
import { keys } from '../api/keys.ts'
import { type Answer, get } from '../api/request.ts'

export type Team = Answer<'/v1/team'>
export type Retention = Answer<'/v1/team/retention'>
export type RateLimits = Answer<'/v1/rate-limits'>

export const teamQuery = {
  queryKey: keys.part('team', 'team'),
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/v1/team', {}, { signal }),
}
export const retentionQuery = {
  queryKey: keys.part('team/retention', 'retention'),
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/v1/team/retention', {}, { signal }),
}
export const limitsQuery = {
  queryKey: keys.part('rate-limits', 'limits'),
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/v1/rate-limits', {}, { signal }),
}

export function useTeam() {
  return useQuery(teamQuery)
}
