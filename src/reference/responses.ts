import type { RefusalKind } from '../platform/errors.ts'
import { statusOf } from '../platform/http/errors.ts'
import type { Route } from '../platform/http/route.ts'

type Json = Record<string, unknown>

/** Schemas of the bodies of refusals. */
export const errorSchemas: Record<string, Json> = {
  Error: {
    type: 'object',
    required: ['status_code', 'name', 'message'],
    properties: {
      status_code: { type: 'integer' },
      name: { type: 'string', description: 'For programs.' },
      message: { type: 'string', description: 'For people: what to do.' },
      errors: {
        type: 'array',
        description: 'Each fault of the request.',
        items: {
          type: 'object',
          required: ['path', 'message'],
          properties: { path: { type: 'string', examples: ['emails[3].to'] }, message: { type: 'string' } },
        },
      },
    },
  },
  BatchError: {
    type: 'object',
    required: ['error', 'index'],
    properties: {
      error: { type: 'string' },
      index: { type: ['integer', 'null'], description: 'Which of the batch, from 0; null for a fault of the whole.' },
    },
  },
  DailyLimitError: {
    type: 'object',
    required: ['error', 'limit', 'remaining'],
    properties: { error: { type: 'string' }, limit: { type: 'integer' }, remaining: { type: 'integer' } },
  },
}

/** Every status that a route answers with: its success, its own refusals, and those of every route of its kind. */
export function responsesOf(route: Route): Json {
  const { status = 200, produces, alsoProduces, response } = route
  const text = produces ?? alsoProduces
  const success = {
    ...(!produces && { 'application/json': { schema: response } }),
    ...(text && { [text.split(';')[0]!]: { schema: { type: 'string' } } }),
  }
  const responses: Json = { [status]: { description: 'Done.', headers: headersOf(status, route), content: success } }
  for (const kind of refusalsOf(route)) {
    const { status: refused, name } = statusOf[kind]
    const schema = errorSchema(kind, route)
    const example = exampleOf(kind, refused, name)
    responses[refused] = {
      description: meanings[kind],
      headers: headersOf(refused),
      content: { 'application/json': { schema, ...example } },
    }
  }
  responses[500] = {
    description: 'A fault of the server.',
    headers: headersOf(500),
    content: { 'application/json': { schema: errorRef('Error') } },
  }
  return responses
}

function refusalsOf({ access, method, params, unlimited, forgiving, versioned, refusals = [] }: Route): RefusalKind[] {
  const kinds = new Set<RefusalKind>(['invalid', 'unavailable', ...refusals])
  if (!unlimited) kinds.add('limitExceeded')
  if (access !== 'public') kinds.add('unauthenticated')
  if (access === 'user' || access === 'full') kinds.add('forbidden')
  if (params) kinds.add('notFound')
  if (versioned && method !== 'GET') kinds.add('preconditionFailed')
  // A body is read and judged also where the route declares none.
  if (method !== 'GET' && !forgiving) kinds.add('tooLarge').add('tooSlow').add('unsupported')
  return [...kinds].sort((one, other) => statusOf[one].status - statusOf[other].status)
}

const meanings: Record<RefusalKind, string> = {
  invalid: 'The request is not valid; `errors` names each fault.',
  unauthenticated: 'The API key or token is missing or not valid.',
  forbidden: 'The caller may not do this.',
  notFound: 'There is no such resource in the team.',
  methodNotAllowed: 'The path takes other methods.',
  tooSlow: 'The body came too slowly.',
  conflict: 'The state of the resource does not allow it.',
  preconditionFailed: 'The resource is no longer the version that `If-Match` names, and nothing was changed.',
  tooLarge: 'The body is too large.',
  unsupported: 'The body is not JSON by its Content-Type.',
  unprocessable: 'The request is well-formed and cannot be carried out.',
  limitExceeded: 'A limit is reached. `Retry-After` tells how long to wait, if waiting helps.',
  providerFailed: 'The provider refused or was out of reach, and nothing was sent: the request may be repeated.',
  unavailable: 'The server cannot answer at the moment; repeat after `Retry-After`.',
}

function errorSchema(kind: RefusalKind, { batchOf, refusals, refusalBodies }: Route): Json {
  const fixed = refusalBodies?.[kind]
  if (fixed) return { anyOf: [errorRef('Error'), fixed] }
  if (kind === 'invalid' && batchOf) return { anyOf: [errorRef('Error'), errorRef('BatchError')] }
  if (kind === 'limitExceeded' && refusals?.includes('limitExceeded'))
    return { anyOf: [errorRef('Error'), errorRef('DailyLimitError')] }
  return errorRef('Error')
}

function errorRef(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

function exampleOf(kind: RefusalKind, status: number, name: string): Json {
  const errors = kind === 'invalid' ? { errors: [{ path: 'name', message: 'is required' }] } : {}
  const message = kind === 'invalid' ? 'name: is required' : meanings[kind]
  return { example: { status_code: status, name, message, ...errors } }
}

function headersOf(status: number, { versioned = false }: Pick<Route, 'versioned'> = {}): Json {
  const shown: Record<string, boolean> = { 'Retry-After': status === 429 || status === 503, ETag: versioned }
  const names = Object.keys(responseHeaders).filter((name) => shown[name] ?? true)
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Headers of every response, except for `Retry-After` and `ETag`. */
export const responseHeaders: Record<string, Json> = {
  'X-Request-Id': header('Names the request in the log.', 'string'),
  'X-RateLimit-Limit': header(
    'Requests a minute. Several processes that share no Redis allow as many each.',
    'integer',
  ),
  'X-RateLimit-Remaining': header('What is left of them.', 'integer'),
  'X-RateLimit-Reset': header('Unix time when the minute ends.', 'integer'),
  'Retry-After': header('Seconds to wait.', 'integer'),
  ETag: header('Names the version of the resource, for `If-Match`.', 'string'),
}

function header(description: string, type: string): Json {
  return { description, schema: { type } }
}
