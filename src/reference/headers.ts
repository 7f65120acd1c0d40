import type { Components, Json } from './components.ts'

/** The headers that every answer has. */
export const usualHeaders: Record<string, Json> = {
  'X-Request-Id': header('Names the request in the log.', 'string'),
  'X-RateLimit-Limit': header(
    'Requests a minute. Several processes that share no Redis allow as many each.',
    'integer',
  ),
  'X-RateLimit-Remaining': header('What is left of them.', 'integer'),
  'X-RateLimit-Reset': header('Unix time when the minute ends.', 'integer'),
}

/** The headers that only some answers have. */
const ownHeaders = {
  'Retry-After': header('Seconds to wait.', 'integer'),
  ETag: header('Names the version of the resource, for `If-Match`.', 'string'),
}

function header(description: string, type: string): Json {
  return { description, schema: { type } }
}

/** Describes headers that an answer has beside the usual ones, which the response 500 describes. */
export function headersOf(components: Components, names: (keyof typeof ownHeaders)[]): Json {
  if (names.length === 0) return {}
  return { headers: referHeaders(components, names) }
}

/** Refers to headers by their names, and adds them to the components. */
export function referHeaders(components: Components, names: string[]): Json {
  const known: Record<string, Json> = { ...usualHeaders, ...ownHeaders }
  for (const name of names) components.headers[name] = known[name]!
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
