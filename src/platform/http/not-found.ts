import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../errors.ts'
import { allowPreflight } from './headers/opaque-origin.ts'
import type { Route } from './route.ts'

/**
 * Answers 405 with the allowed methods if the path has other methods; OPTIONS gets the same list. No page of another
 * origin may read answers, since keys do not belong in browsers; only pages without an origin may, such as `/docs`.
 */
export function answerUnknownRoute(routes: readonly Route[], request: FastifyRequest, reply: FastifyReply): void {
  const path = request.url.split('?')[0] ?? ''
  const methods = new Set<string>(routes.filter((route) => matches(route.path, path)).map((route) => route.method))
  if (methods.has('GET')) methods.add('HEAD')
  if (methods.size === 0)
    throw new DomainError('notFound', `There is nothing at ${request.method} ${path.slice(0, 200)}. See /docs.`)
  const allow = [...methods].join(', ')
  reply.header('Allow', allow)
  if (request.method === 'OPTIONS') {
    allowPreflight(request, reply, allow)
    reply.status(204).send()
  } else throw new DomainError('methodNotAllowed', `${request.method} is not possible here; ${allow} is.`)
}

function matches(pattern: string, path: string): boolean {
  const parts = path.split('/')
  const wanted = pattern.split('/')
  return (
    parts.length === wanted.length &&
    wanted.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))
  )
}
