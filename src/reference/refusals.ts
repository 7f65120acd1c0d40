import type { RefusalKind } from '../platform/errors.ts'
import { statusOf } from '../platform/http/errors.ts'
import type { Route } from '../platform/http/route.ts'
import { type Components, capital, type Json } from './components.ts'
import { headersOf, referHeaders, usualHeaders } from './headers.ts'

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

/** Returns the refusals of a route by status. They refer to components, since most routes have the same ones. */
export function refusalResponsesOf(route: Route, components: Components): Record<string, Json> {
  const refusals = refusalsOf(route).map((kind) => [statusOf[kind].status, refusal(kind, route, components)])
  return { ...Object.fromEntries(refusals), 500: internalError(components) }
}

/** The response that every operation has, so it describes the headers of every answer. */
function internalError(components: Components): Json {
  const message = 'Something went wrong on the server. Its log has the details under the request id 01890a5d.'
  const value = { status_code: 500, name: 'internal_error', message }
  return shared(components, 'InternalError', () => ({
    description: 'A fault of the server.',
    headers: referHeaders(components, Object.keys(usualHeaders)),
    content: { 'application/json': { schema: errorRef(components), examples: { internal_error: { value } } } },
  }))
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

const setupRequired = 'two_factor_setup_required'

/** Returns the names, beside the usual one, of the refusals of a kind that a route answers with. */
export function ownNamesOf(
  kind: RefusalKind,
  { access, asksAgain, forSetup, idempotent, refusalNames }: Route,
): string[] {
  const names = [...(refusalNames?.[kind] ?? [])]
  if (kind === 'forbidden' && access !== 'public' && !forSetup) names.push(setupRequired)
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

/** Returns a reference to the response of a kind of refusals. */
function refusal(kind: RefusalKind, route: Route, components: Components): Json {
  const { status, name: usual } = statusOf[kind]
  const own = ownNamesOf(kind, route)
  const [variant, other] = variantOf(kind, route)
  return shared(components, nameOf(kind, own, variant), () => {
    const error = errorRef(components)
    const schema = other ? { anyOf: [error, components.refer(other)] } : error
    const examples = Object.fromEntries([usual, ...own].map((name) => [name, { value: exampleOf(kind, name) }]))
    return {
      description: meanings[kind],
      ...headersOf(components, status === 429 || status === 503 ? ['Retry-After'] : []),
      content: { 'application/json': { schema, examples } },
    }
  })
}

/**
 * Names a response after what sets it apart from the usual one of its kind. The usual `Forbidden` has the name
 * `two_factor_setup_required` too, as most operations do. A response without it ends with `Only`.
 */
function nameOf(kind: RefusalKind, own: string[], variant: string): string {
  const apart = own.filter((name) => name !== setupRequired).map(camel)
  const isBare = kind === 'forbidden' && !own.includes(setupRequired)
  return [capital(kind), ...apart, variant, isBare ? 'Only' : ''].join('')
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

function errorRef(components: Components): Json {
  return components.refer({ title: 'Error', ...errorSchemas.Error })
}

function exampleOf(kind: RefusalKind, name: string): Json {
  const { status } = statusOf[kind]
  if (kind !== 'invalid') return { status_code: status, name, message: meanings[kind] }
  const errors = [{ path: 'name', message: 'is required' }]
  return { status_code: status, name, message: 'name: is required', errors }
}

function camel(name: string): string {
  return name.split('_').map(capital).join('')
}
