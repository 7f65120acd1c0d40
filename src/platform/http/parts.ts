import type { App, Caller } from '../../context.ts'
import type { Route } from './route.ts'

export type RequestWindow = {
  limit: number
  remaining: number
  resetAtSeconds: number
  allowed: boolean
  /** Present if the limit of all callers of the team is passed, instead of the caller's. */
  teamLimit?: number
}

export type HttpParts = {
  app: App
  routes: Route[]
  /** The caller that the Authorization header names; null without a header. Throws `unauthenticated` for a bad one. */
  identify(app: App, authorization: string | undefined): Promise<Caller | null>
  /**
   * Counts one request in the window of a minute, which is the caller's, or without a caller the address's. With `counts`
   * false it only reads the window.
   */
  countRequest(app: App, caller: Caller | null, address: string, counts?: boolean): Promise<RequestWindow>
  /** Connections of one network. Tests set a smaller number. */
  connectionsMax?: number
}
