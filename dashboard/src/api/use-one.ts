import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { changed } from './client.ts'
import type { Gets } from './endpoints.ts'
import { keys, type Noun } from './keys.ts'
import { isNotFound } from './refusal.ts'
import { ask, type InputOf, splitFields } from './request.ts'

/** A path that names one thing. */
type OnePath = Extract<keyof Gets, `${string}:${string}`>

/** The query of one thing, or of a part of it: `oneOf('/v1/emails/:id/events', { id })`. */
export function oneOf<P extends OnePath>(path: P, input: InputOf<Gets[P]>) {
  return oneUntyped<Gets[P]['answer']>(path, input)
}

/** The same for a path that is not known here, so that the caller says what is answered. */
export function oneUntyped<T>(path: string, input: unknown) {
  const [, nounPath = '', name = '', part = ''] = /^(.*)\/:(\w+)([^:]*)$/.exec(path) ?? []
  const { path: noun, fields } = splitFields(nounPath.replace(/^\/v1\//, ''), input as Record<string, string>)
  const { [name]: id = '', ...others } = fields
  return queryOptions({
    queryKey: keys.one(noun, String(id), part, others),
    queryFn: ({ signal }) => ask<T>('GET', path, input, { signal }),
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
