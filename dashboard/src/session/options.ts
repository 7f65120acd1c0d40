import { useQuery } from '@tanstack/react-query'
import { get } from '../api/call.ts'
import { keys } from '../api/keys.ts'

type Options = { signup: boolean; providers: string[]; mail: boolean }

/** How people may sign in here. */
export function useSignInOptions(): Options | undefined {
  return useQuery({
    queryKey: keys.part('auth/options', 'options'),
    queryFn: ({ signal }) => get<Options>('/auth/options', { signal, isAnonymous: true }),
  }).data
}
