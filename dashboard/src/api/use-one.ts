import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { get, withQuery } from './call.ts'
import { changed } from './client.ts'
import { keys } from './keys.ts'
import type { Mode } from './mode.ts'

/** The query of one thing, or of a part of it: `oneOf('/v1/emails', id, '/events')`. */
export function oneOf<T>(path: string, id: string, part = '', mode?: Mode) {
  return queryOptions({
    queryKey: keys.one(path.replace(/^\/v1\//, ''), id, part, { mode }),
    queryFn: ({ signal }) => get<T>(withQuery(`${path}/${encodeURIComponent(id)}${part}`, { mode }), { signal }),
  })
}

export function useOne<T>(path: string, id: string, part = '') {
  return useQuery(oneOf<T>(path, id, part))
}

/** A change of things. After it, the lists and single things of the nouns are fetched again. */
export function useChange<Input, Output>(change: (input: Input) => Promise<Output>, ...nouns: string[]) {
  return useMutation({ mutationFn: change, onSuccess: () => changed(...nouns) })
}
