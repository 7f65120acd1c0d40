import type { FastifyRequest } from 'fastify'
import type { App, Caller } from '../../context.ts'
import type { Dialect } from './dialect.ts'
import type { RequestWindow } from './request-window.ts'
import type { Route } from './route.ts'

export type CountedRequest = { counts?: boolean; reads?: boolean }

export type HttpParts = {
  app: App
  routes: Route[]
  dialects?: Dialect[]
  /**
   * Returns the caller of the Authorization header or of a browser's cookie; null without either. Throws
   * `unauthenticated` for a bad one, and `forbidden` for a cookie that another page sent. With `onlyKnown` a cookie
   * that this process has not seen before is refused without being looked up.
   */
  identify(app: App, request: FastifyRequest, options?: { onlyKnown: boolean }): Promise<Caller | null>
  /** True if requests without a known caller have passed the limit of this address in this minute. */
  isPastLimit(app: App, address: string): boolean
  /** Throws `forbidden` if the role of a signed-in user may not call the route. */
  refuseRole(caller: Caller, route: Route): void
  /** Throws `forbidden` if a user gave the password or a code too long ago for a route that asks again. */
  refuseStaleLogin(caller: Caller, now: Date): void
  /**
   * Counts one request in the caller's window of a minute, or without a caller in the address's window. With `counts`
   * false it only reads the window. Browser sessions have a window of their own for requests that read.
   */
  countRequest(app: App, caller: Caller | null, address: string, request?: CountedRequest): Promise<RequestWindow>
  /**
   * Tells live updates (`live/note-change.ts`) that a request of a caller has succeeded, with the answer before it is
   * serialised.
   */
  noteChange(app: App, caller: Caller, route: Route, params: unknown, result: unknown): void
  /** The most connections of one network. Tests set a smaller number. */
  connectionsMax?: number
}
