import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { get } from './call.ts'
import { changed } from './client.ts'
import { keys } from './keys.ts'

/** The query of one thing, or of a part of it: `oneOf('/v1/emails', id, '/events')`. */
export function oneOf<T>(path: string, id: string, part = '') {
  return queryOptions({
    queryKey: keys.one(path.replace(/^\/v1\//, ''), id, part),
    queryFn: ({ signal }) => get<T>(`${path}/${encodeURIComponent(id)}${part}`, { signal }),
  })
}

export function useOne<T>(path: string, id: string, part = '') {
  return useQuery(oneOf<T>(path, id, part))
}

/** A change of things. After it, the lists and single things of the nouns are fetched again. */
export function useChange<Input, Output>(change: (input: Input) => Promise<Output>, ...nouns: string[]) {
  return useMutation({ mutationFn: change, onSuccess: () => changed(...nouns) })
}
