import { useQuery } from '@tanstack/react-query'
import { keys } from '../api/keys.ts'
import { type Answer, get } from '../api/request.ts'

export type Installation = Answer<'/v1/installation'>

/** How this server is set up, such as the providers that send. */
export function useInstallation() {
  return useQuery({
    queryKey: keys.part('installation', 'installation'),
    queryFn: ({ signal }) => get('/v1/installation', {}, { signal }),
  })
}
