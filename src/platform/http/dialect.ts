import type { FastifyRequest } from 'fastify'
import type { DomainError, RefusalKind } from '../errors.ts'
import type { RequestWindow } from './request-window.ts'
import type { Route } from './route.ts'

declare module 'fastify' {
  interface FastifyInstance {
    dialects: readonly Dialect[]
  }
}

/** The answer to a refusal, as the API gives it. `refusal` is null for an error of ours. */
export type Refused = { refusal: DomainError | null; status: number; message: string }

/** Routes below a prefix for clients that were written for another API, and how they are refused. */
export type Dialect = {
  /** Where its paths begin, such as `/resend/`. */
  prefix: string
  /** The header that holds the key. Authorization if left out. */
  keyHeader?: string
  routes: Route[]
  /** Rewrites a JSON body before it is parsed, for clients that write some values in a form of their own. */
  rewriteBody?(json: Buffer): Buffer
  /** Returns the answer to a refusal in the words of the other API. */
  refuse(refused: Refused, request: FastifyRequest): { status: number; body: Record<string, unknown> }
  /** Headers beside ours that tell of the limit of requests. */
  windowHeaders(window: RequestWindow, now: Date): Record<string, string>
}

/** Returns the dialect of a request; undefined if it is for our own API. */
export function dialectOf(request: FastifyRequest): Dialect | undefined {
  return request.server.dialects.find(({ prefix }) => request.url.startsWith(prefix))
}

/** Parts of another API that are not served: a method or `*`, the path without the prefix, and what to use instead. */
export type Unserved = readonly (readonly [method: string, path: RegExp, instead: string])[]

const unservedKinds: RefusalKind[] = ['notFound', 'methodNotAllowed']

/**
 * Says what to use instead of an unserved part of another API. Null for other refusals, and for what is in neither API.
 */
export function unservedAt(
  { prefix, unserved, kinds = unservedKinds }: { prefix: string; unserved: Unserved; kinds?: RefusalKind[] },
  { refusal }: Refused,
  request: FastifyRequest,
): string | null {
  if (!refusal || !kinds.includes(refusal.kind)) return null
  const path = request.url.split('?')[0]!.slice(prefix.length - 1)
  const found = unserved.find(([method, pattern]) => ['*', request.method].includes(method) && pattern.test(path))
  return found ? `Posthorn has no ${request.method} ${path.slice(0, 200)}. ${found[2]}` : null
}
