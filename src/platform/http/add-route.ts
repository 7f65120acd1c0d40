import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App, Caller } from '../../context.ts'
import { type Actor, runAs, system } from '../audit/actor.ts'
import { type Cause, runCausedBy } from '../cause/cause.ts'
import { causeHeader, readCause } from '../cause/header.ts'
import { DomainError, invalid } from '../errors.ts'
import { freeBytes } from '../limits/byte-budget.ts'
import { callerInMode } from '../mode/caller.ts'
import type { Mode } from '../mode/mode.ts'
import { keptAddress } from '../network/network.ts'
import { versionOf } from '../version.ts'
import { refusalInTest } from './access.ts'
import { refuseText } from './body/read-json.ts'
import { readIdempotencyKey } from './headers/idempotency-key.ts'
import { readIfMatch } from './headers/if-match.ts'
import { admitAgain } from './overload/admit.ts'
import type { Answers } from './overload/bound-answers.ts'
import { runHeavyRead } from './overload/heavy-reads.ts'
import type { HttpParts } from './parts.ts'
import { type Bounded, type Route, takesMode } from './route.ts'

export const defaultBodyLimitBytes = 1024 * 1024
/** Requests about accounts contain names, passwords and tokens, and have no API key. */
const accountBodyLimitBytes = 64 * 1024
/** An answer of this size takes several times its size in memory while it is loaded. */
const longReadBytes = 1024 * 1024

/** One object for all routes, as each schema is compiled once. */
const noQuery = { type: 'object', additionalProperties: false }

export function addRoute(server: FastifyInstance, parts: HttpParts, route: Route, answers: Answers): void {
  const { app } = parts
  const { body, query, params, response, status = 200 } = route
  server.route({
    method: route.method,
    url: route.path,
    config: { route },
    bodyLimit: route.bodyLimitBytes ?? usualBodyLimit(route),
    schema: {
      ...(body && { body }),
      // A route without a declaration accepts no query field.
      ...(!route.forgiving && !route.anyQuery && { querystring: query ?? noQuery }),
      ...(params && { params }),
      ...(!route.produces && { response: { [status]: response } }),
    },
    async preValidation(request) {
      await admitAgain(parts, route, request)
      if (!takesMode(route)) dropOwnMode(request)
      if (!route.forgiving) refuseHostileParameters(route, request)
      settleBody(route, request)
    },
    async handler(request, reply) {
      const idempotencyKey = route.idempotent ? readIdempotencyKey(request.headers['idempotency-key']) : null
      const knownVersions = route.versioned ? readIfMatch(request.headers['if-match']) : null
      const { body, params } = request
      const cause = readCause(app.keyring, request.headers[causeHeader.toLowerCase()])
      const { caller, query } = inMode(route, request, cause)
      reply.status(status)
      const bounded = boundedFor({ app, answers, caller }, request, reply)
      const input = { app, caller, body, query, params, idempotencyKey, knownVersions, bounded, request, reply }
      const caused = () => (cause ? runCausedBy(cause, () => route.handle(input)) : route.handle(input))
      // The caller is not known yet, but a login or a reset records where it came from.
      if (!caller) return changesAccount(route) ? runAs({ ...system, ...clientOf(app, request) }, caused) : caused()
      if (route.asksAgain === true) parts.refuseStaleLogin(caller, app.clock.now())
      const handle = async () => {
        const result = await runAs(actorOf(app, caller, request), caused)
        if (route.versioned) reply.header('ETag', versionOf(result))
        parts.noteChange(app, caller, route, params, result)
        return result
      }
      if (isSearch(query)) return runHeavyRead(app, caller.teamId, 'search', handle)
      const sizeBytes = (await route.answerBytes?.(app, caller, (params as { id: string }).id)) ?? 0
      return bounded(sizeBytes, handle)
    },
  })
}

/** Reserves memory for a large answer to the request. A very large one is read in the team's turn. */
function boundedFor(
  { app, answers, caller }: { app: App; answers: Answers; caller: Caller | null },
  request: FastifyRequest,
  reply: FastifyReply,
): Bounded {
  return (sizeBytes, read) => {
    if (sizeBytes <= freeBytes) return read()
    answers.reserve(request, reply, sizeBytes)
    return sizeBytes > longReadBytes ? runHeavyRead(app, caller!.teamId, 'longRead', read) : read()
  }
}

/**
 * Returns the caller and the query as the handler gets them: of the mode that the key has or the user asks for. A
 * request that a test execution makes with a live key is of test mode, so that no workflow leads out of it.
 */
function inMode(
  route: Route,
  { caller: known, query }: FastifyRequest,
  cause: Cause | null,
): { caller: Caller | null; query: unknown } {
  const caller: Caller | null = known && cause?.mode === 'test' ? { ...known, mode: 'test' } : known
  if (!caller) return { caller, query }
  const refusal = refusalInTest(route, caller)
  if (refusal) throw refusal
  if (!takesMode(route)) return { caller, query }
  const { mode, ...others } = query as { mode?: Mode }
  const inItsMode = callerInMode(caller, mode)
  return { caller: route.inTest === 'apart' ? inItsMode : caller, query: others }
}

/** A key may name its own mode on every route. Where that decides nothing it is dropped, as no field of the query. */
function dropOwnMode({ caller, query }: FastifyRequest): void {
  const asked = query as { mode?: Mode }
  if (caller?.kind !== 'apiKey' || asked.mode === undefined) return
  callerInMode(caller, asked.mode)
  delete asked.mode
}

function actorOf(app: App, { kind, id }: Caller, request: FastifyRequest): Actor {
  const type = kind === 'user' ? 'user' : 'api_key'
  return { type, id, name: null, ...clientOf(app, request) }
}

const userAgentMax = 200

function clientOf(app: App, { ip, id, headers }: FastifyRequest): Pick<Actor, 'address' | 'requestId' | 'userAgent'> {
  return {
    address: keptAddress(app.config, ip),
    requestId: id,
    userAgent: headers['user-agent']?.slice(0, userAgentMax) || null,
  }
}

/** Tells whether a query is a search: all lists name its fields `search` and `find`. */
function isSearch(query: unknown): boolean {
  const { search, find } = (query ?? {}) as { search?: string; find?: string }
  return search !== undefined || find !== undefined
}

function changesAccount({ changes }: Route): boolean {
  return changes === 'account'
}

function usualBodyLimit(route: Route): number {
  return changesAccount(route) ? accountBodyLimitBytes : defaultBodyLimitBytes
}

function refuseHostileParameters({ anyQuery, query }: Route, request: FastifyRequest): void {
  refuseUndecodable(request.raw.url ?? '')
  for (const part of [request.query, request.params] as Record<string, unknown>[]) {
    for (const [name, value] of Object.entries(part)) {
      refuseText(name, 'query')
      if (Array.isArray(value) && !anyQuery) throw invalid(name, 'is given more than once')
      for (const text of [value].flat()) if (typeof text === 'string') refuseText(text, name)
    }
  }
  refuseOddNumbers(query, request.query as Record<string, unknown>)
}

/** Refuses numbers such as `0x10`, `1e1` and `05`, which JavaScript reads. */
function refuseOddNumbers(schema: Route['query'], query: Record<string, unknown>): void {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { type?: string }> }
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string' || properties[name]?.type !== 'integer' || /^-?(0|[1-9]\d*)$/.test(value)) continue
    throw invalid(name, `must be a whole number in decimal digits; it was ${JSON.stringify(value.slice(0, 50))}`)
  }
}

/** Refuses bytes that are not UTF-8. The parser replaces them, and a search for the replacement would mislead. */
function refuseUndecodable(url: string): void {
  const start = url.indexOf('?')
  if (start === -1) return
  try {
    decodeURIComponent(url.slice(start + 1))
  } catch {
    throw invalid('query', 'is not percent-encoded UTF-8')
  }
}

/** Accepts a body that is missing or not asked for only if it is empty, because a field that is ignored misleads. */
function settleBody({ body, bodyOptional, takes }: Route, request: FastifyRequest): void {
  if (request.body instanceof DomainError) throw request.body
  if (!body) {
    if (takes === 'bytes' || request.body === undefined) return
    // Only an object has fields: the keys of a text or of bytes would be its characters.
    const [field] = isObject(request.body) ? Object.keys(request.body) : ['body']
    if (field !== undefined) throw invalid(field, 'is not known here: this endpoint takes no body')
  } else if (request.body === undefined) {
    if (!bodyOptional)
      throw invalid('body', 'is required: a JSON object, with the header Content-Type: application/json')
    request.body = {}
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
