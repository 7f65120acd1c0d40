import { useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { PrivacyRequest as PrivacyRequestSchema } from '../../../../src/privacy/schema.ts'
import type { Json } from '../../api/json.ts'
import { oneOf } from '../../api/use-one.ts'

export type PrivacyRequest = Json<Static<typeof PrivacyRequestSchema>>

export const privacyPath = '/v1/privacy/requests'

/** How the status of a request looks. */
export const looks = { running: 'running', done: 'completed', failed: 'failed' } as const

const askAgainMs = 1500

/** A request, asked for again until it has ended. */
export function usePrivacyRequest(id: string) {
  return useQuery({
    ...oneOf<PrivacyRequest>(privacyPath, id),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.status === 'running' ? askAgainMs : false),
  })
}
