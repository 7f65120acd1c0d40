import type { RefusalKind } from '../platform/errors.ts'
import { statusOf } from '../platform/http/errors.ts'
import type { Route } from '../platform/http/route.ts'
import type { Components, Json } from './components.ts'
import { answerExampleOf } from './example.ts'

/** Schemas of the bodies of refusals. */
const errorSchemas = {
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
} satisfies Record<string, Json>

/**
 * Every status that a route answers with: its success, its own refusals, and those of every route of its kind. Refusals
 * are components, since most routes share them.
 */
export function responsesOf(route: Route, components: Components): Record<string, Json> {
  const responses: Record<string, Json> = { [route.status ?? 200]: successOf(route, components) }
  for (const kind of refusalsOf(route)) responses[statusOf[kind].status] = refusal(kind, route, components)
  responses[500] = shared(components, 'InternalError', () => ({
    description: 'A fault of the server.',
    headers: headersOf(components, 500),
    content: { 'application/json': { schema: errorRef(components, 'Error'), example: internalError } },
  }))
  return responses
}

const internalError = {
  status_code: 500,
  name: 'internal_error',
  message: 'Something went wrong on the server. Its log has the details under the request id 01890a5d.',
}

function successOf({ status = 200, produces, alsoProduces, response, versioned }: Route, components: Components): Json {
  const text = produces ?? alsoProduces
  const content = {
    ...(!produces && {
      'application/json': { schema: components.refer(response), example: answerExampleOf(response) },
    }),
    ...(text && { [text.split(';')[0]!]: { schema: { type: 'string' } } }),
  }
  return { description: 'Done.', headers: headersOf(components, status, versioned), content }
}

export function refusalsOf(route: Route): RefusalKind[] {
  const {
    access,
    method,
    params,
    unlimited,
    forgiving,
    versioned,
    idempotent,
    refusals = [],
    closedToDomainKeys,
    refusalNames = {},
  } = route
  const kinds = new Set<RefusalKind>([
    'invalid',
    'unavailable',
    ...refusals,
    ...(Object.keys(refusalNames) as RefusalKind[]),
  ])
  if (!unlimited) kinds.add('limitExceeded')
  if (access !== 'public') kinds.add('unauthenticated')
  if (access === 'user' || access === 'full' || closedToDomainKeys) kinds.add('forbidden')
  if (params) kinds.add('notFound')
  if (idempotent === true) kinds.add('conflict')
  if (versioned && method !== 'GET') kinds.add('preconditionFailed')
  // A body is read and judged also where the route declares none.
  if (method !== 'GET' && !forgiving) kinds.add('tooLarge').add('tooSlow').add('unsupported')
  return [...kinds].sort((one, other) => statusOf[one].status - statusOf[other].status)
}

/** Returns the names, beside the usual one, of the refusals of a kind that a route answers with. */
export function ownNamesOf(
  kind: RefusalKind,
  { access, asksAgain, forSetup, idempotent, refusalNames }: Route,
): string[] {
  const names = [...(refusalNames?.[kind] ?? [])]
  if (kind === 'forbidden' && access !== 'public' && !forSetup) names.push('two_factor_setup_required')
  if (kind === 'forbidden' && asksAgain) names.push('reauthentication_required')
  if (kind === 'conflict' && idempotent === true) names.push('idempotency_key_reused')
  return names
}

const meanings: Record<RefusalKind, string> = {
  invalid: 'The request is not valid; `errors` names each fault.',
  unauthenticated: 'The API key or token is missing or not valid.',
  forbidden: 'The caller may not do this.',
  notFound: 'There is no such resource in the team.',
  methodNotAllowed: 'The path takes other methods.',
  tooSlow: 'The body came too slowly.',
  conflict: 'The state of the resource does not allow it.',
  gone: 'What the request begins with is not kept any more.',
  preconditionFailed: 'The resource is no longer the version that `If-Match` names, and nothing was changed.',
  tooLarge: 'The body is too large.',
  unsupported: 'The body is not JSON by its Content-Type.',
  unprocessable: 'The request is well-formed and cannot be carried out.',
  limitExceeded: 'A limit is reached. `Retry-After` tells how long to wait, if waiting helps.',
  providerFailed: 'The provider refused or was out of reach, and nothing was sent: the request may be repeated.',
  unavailable: 'The server cannot answer at the moment; repeat after `Retry-After`.',
}

/** Returns a reference to the response of a kind of refusals, which is named after what sets it apart. */
function refusal(kind: RefusalKind, route: Route, components: Components): Json {
  const { status, name: usual } = statusOf[kind]
  const own = ownNamesOf(kind, route)
  const [variant, other] = variantOf(kind, route)
  const name = [capital(kind), ...own.map(camel), variant].join('')
  return shared(components, name, () => {
    const error = errorRef(components, 'Error')
    const schema = other ? { anyOf: [error, components.refer(other)] } : error
    const examples = [usual, ...own].map((named) => [named, { value: exampleOf(kind, status, named) }])
    const shown =
      own.length > 0 ? { examples: Object.fromEntries(examples) } : { example: exampleOf(kind, status, usual) }
    return {
      description: meanings[kind],
      headers: headersOf(components, status),
      content: { 'application/json': { schema, ...shown } },
    }
  })
}

function shared(components: Components, name: string, make: () => Json): Json {
  components.responses[name] ??= make()
  return { $ref: `#/components/responses/${name}` }
}

/** Returns the name and the schema of another body that refusals of a kind may have on a route. */
function variantOf(kind: RefusalKind, { batchOf, refusals, refusalBodies }: Route): [string, Json | null] {
  const fixed = refusalBodies?.[kind] as Json | undefined
  if (fixed?.title) return [String(fixed.title), fixed]
  if (fixed) throw new Error(`The body of the refusal ${kind} has no title.`)
  if (kind === 'invalid' && batchOf) return ['InBatch', { title: 'BatchError', ...errorSchemas.BatchError }]
  if (kind === 'limitExceeded' && refusals?.includes('limitExceeded'))
    return ['ForToday', { title: 'DailyLimitError', ...errorSchemas.DailyLimitError }]
  return ['', null]
}

function errorRef(components: Components, title: keyof typeof errorSchemas): Json {
  return components.refer({ title, ...errorSchemas[title] })
}

function exampleOf(kind: RefusalKind, status: number, name: string): Json {
  const errors = kind === 'invalid' ? { errors: [{ path: 'name', message: 'is required' }] } : {}
  const message = kind === 'invalid' ? 'name: is required' : meanings[kind]
  return { status_code: status, name, message, ...errors }
}

function headersOf(components: Components, status: number, versioned = false): Json {
  const shown: Record<string, boolean> = { 'Retry-After': status === 429 || status === 503, ETag: versioned }
  const names = Object.keys(responseHeaders).filter((name) => shown[name] ?? true)
  for (const name of names) components.headers[name] = responseHeaders[name]!
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function camel(name: string): string {
  return name.split('_').map(capital).join('')
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Headers of every response, except for `Retry-After` and `ETag`. */
const responseHeaders: Record<string, Json> = {
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
