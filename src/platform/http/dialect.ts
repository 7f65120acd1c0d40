import type { FastifyRequest } from 'fastify'
import type { DomainError } from '../errors.ts'
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
  /** Returns the answer to a refusal in the words of the other API. */
  refuse(refused: Refused, request: FastifyRequest): { status: number; body: Record<string, unknown> }
  /** Headers beside ours that tell of the limit of requests. */
  windowHeaders(window: RequestWindow, now: Date): Record<string, string>
}

/** Returns the dialect of a request; undefined if it is for our own API. */
export function dialectOf(request: FastifyRequest): Dialect | undefined {
  return request.server.dialects.find(({ prefix }) => request.url.startsWith(prefix))
}
