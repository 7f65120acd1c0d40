import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { changed } from './client.ts'
import type { Gets } from './endpoints.ts'
import { keys, type Noun } from './keys.ts'
import { isNotFound } from './refusal.ts'
import { type Fields, getAny, type InputOf, splitFields } from './request.ts'

/** A path that names one thing. */
type OnePath = Extract<keyof Gets, `${string}:${string}`>

/** The query of one thing, or of a part of it: `oneOf('/v1/emails/:id/events', { id })`. */
export function oneOf<P extends OnePath>(path: P, input: InputOf<Gets[P]>) {
  return oneAt(path, input as Fields)
}

/** The query of one thing of several nouns. */
export function oneById<P extends Extract<OnePath, `${string}/:id`>>(path: P, id: string) {
  return oneAt(path, { id })
}

function oneAt<P extends OnePath>(path: P, input: Fields) {
  const [, nounPath = '', name = '', part = ''] = /^(.*)\/:(\w+)([^:]*)$/.exec(path) ?? []
  const { path: noun, fields } = splitFields(nounPath.replace(/^\/v1\//, ''), input)
  const { [name]: id = '', ...others } = fields
  return queryOptions({
    queryKey: keys.one(noun, String(id), part, others),
    queryFn: ({ signal }) => getAny(path, input, { signal }),
  })
}

/** One thing that is shown. What was read of it is dropped once the server says that it is gone. */
export function useOne<P extends OnePath>(path: P, input: InputOf<Gets[P]>) {
  const query = useQuery(oneOf(path, input))
  return isNotFound(query.error) ? { ...query, data: undefined } : query
}

/** A change of things. After it, the lists and single things of the nouns are fetched again. */
export function useChange<Input, Output>(change: (input: Input) => Promise<Output>, ...nouns: Noun[]) {
  return useMutation({ mutationFn: change, onSuccess: () => changed(...nouns) })
}
