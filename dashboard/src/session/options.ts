import { useQuery } from '@tanstack/react-query'
import { keys } from '../api/keys.ts'
import { get } from '../api/request.ts'

/** How people may sign in here. */
export function useSignInOptions() {
  return useQuery({
    queryKey: keys.part('auth/options', 'options'),
    queryFn: ({ signal }) => get('/auth/options', {}, { signal, isAnonymous: true }),
  }).data
}
