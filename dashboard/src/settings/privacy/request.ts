import { useQuery } from '@tanstack/react-query'
import type { Answer } from '../../api/request.ts'
import { oneOf } from '../../api/use-one.ts'

export type PrivacyRequest = Answer<'/v1/privacy/requests/:id'>

/** How the status of a request looks. */
export const looks = { running: 'running', done: 'completed', failed: 'failed' } as const

const askAgainMs = 1500

/** A request, asked for again until it has ended. */
export function usePrivacyRequest(id: string) {
  return useQuery({
    ...oneOf('/v1/privacy/requests/:id', { id }),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.status === 'running' ? askAgainMs : false),
  })
}
