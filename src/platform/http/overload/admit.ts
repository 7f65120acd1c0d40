import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../../context.ts'
import { DomainError, forbidden, invalid, unavailable } from '../../errors.ts'
import { isDatabaseGone } from '../../sql/gone.ts'
import { refusalOf } from '../access.ts'
import { dialectOf } from '../dialect.ts'
import { refuseForeignHost } from '../headers/refuse-host.ts'
import { noticeUntrustedProxy } from '../headers/untrusted-proxy.ts'
import { answerUnknownRoute } from '../not-found.ts'
import type { HttpParts } from '../parts.ts'
import type { RequestWindow } from '../request-window.ts'
import { type Route, routeOf } from '../route.ts'

/** Identifies the caller, counts the request and checks the permission, before a body is read. */
export async function admit(parts: HttpParts, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const route = routeOf(request)
  const refusal = await admitAnybody(parts, request, reply)
  if (!route) return answerUnknownRoute(parts.routes, request, reply)
  if (refusal) throw refusal
  refuseUnlessAllowed(parts, route, request.caller)
  request.admittedAt = parts.app.clock.now()
}

/** A body that arrives within it costs no second query. */
const soonMs = 1000

/**
 * Identifies the caller again once the body has arrived, unless that was soon: a client may take two minutes for it.
 * Throws if the caller may not make the request any more.
 */
export async function admitAgain(parts: HttpParts, route: Route, request: FastifyRequest): Promise<void> {
  const { caller, admittedAt } = request
  if (!caller || !admittedAt || parts.app.clock.now().getTime() - admittedAt.getTime() <= soonMs) return
  const now = await parts.identify(parts.app, request)
  refuseUnlessAllowed(parts, route, now)
  if (now?.teamId !== caller.teamId) throw forbidden('This session entered another team meanwhile. Repeat the request.')
  request.caller = now
}

/** Applies the rules of every request, also for unknown paths. Returns the refusal of a bad key, or null. */
export async function admitAnybody(parts: HttpParts, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  reply.header('X-Request-Id', request.id)
  // Answers contain keys, tokens and addresses, so caches must not keep them. Routes with cacheable answers override
  // this.
  reply.header('Cache-Control', 'no-store')
  noticeUntrustedProxy(parts.app, request)
  const route = routeOf(request)
  // Checked before anything is awaited, so that requests that arrived in time are served.
  const draining = parts.app.isDraining() && !route?.whileDraining
  // Public routes are limited by address, and also answer while the database is out of reach.
  const refusal = route?.access === 'public' ? null : await identify(parts, request)
  const window = await parts.countRequest(parts.app, request.caller, request.ip, {
    counts: !route?.unlimited,
    reads: route?.changes === 'nothing' || request.method === 'GET' || request.method === 'HEAD',
  })
  reply.headers(windowHeaders(window))
  reply.headers(dialectOf(request)?.windowHeaders(window, parts.app.clock.now()) ?? {})
  if (draining) {
    reply.header('Connection', 'close')
    throw unavailable('This process is shutting down. Repeat the request.', 1)
  }
  // Answers with the outage before a limit, because the database cannot say whose request it is.
  if (refusal && isDatabaseGone(refusal)) throw refusal
  if (!window.allowed) throw tooManyRequests(window, parts.app.clock.now())
  if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
    throw invalid('Host', 'is a header every request needs')
  }
  refuseForeignHost(parts.app, request.headers.host, route?.onTrackingHosts === true)
  return refusal
}

/**
 * Identifies the caller of a request that is still being answered again. False if it may not make the request any more.
 */
export async function isStillAdmitted(parts: HttpParts, request: FastifyRequest): Promise<boolean> {
  const route = routeOf(request)!
  try {
    const caller = await parts.identify(parts.app, request)
    refuseUnlessAllowed(parts, route, caller)
    return caller!.teamId === request.caller!.teamId
  } catch (error) {
    // While the database is out of reach, nothing is known about the caller.
    return !(error instanceof DomainError)
  }
}

/** Identifies the caller. Returns the refusal of a bad key, because the request is counted by its address first. */
async function identify(parts: HttpParts, request: FastifyRequest): Promise<unknown> {
  try {
    // Past the limit of its address the request is refused below, whatever is unknown in it, and need not be looked up.
    const onlyKnown = parts.isPastLimit(parts.app, request.ip)
    request.caller = await parts.identify(parts.app, request, { onlyKnown })
    return null
  } catch (error) {
    return error ?? new Error('identifying failed')
  }
}

export function windowHeaders(window: RequestWindow): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(window.limit),
    'X-RateLimit-Remaining': String(window.remaining),
    'X-RateLimit-Reset': String(window.resetAtSeconds),
  }
}

function tooManyRequests(window: RequestWindow, now: Date): DomainError {
  const seconds = Math.max(1, Math.ceil(window.resetAtSeconds - now.getTime() / 1000))
  const message =
    window.teamLimit === undefined
      ? `More than ${window.limit} requests this minute. Wait ${seconds} s.`
      : `More than ${window.teamLimit} requests this minute by all keys and users of the team. Wait ${seconds} s.`
  return new DomainError('limitExceeded', message, { retryAfterSeconds: seconds })
}

function refuseUnlessAllowed(parts: HttpParts, route: Route, caller: Caller | null): void {
  const refusal = refusalOf(route, caller)
  if (refusal) throw refusal
  if (caller) parts.refuseRole(caller, route)
}
