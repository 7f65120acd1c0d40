import type { TSchema } from 'typebox'
import type { Access, OutboundCall, Route } from '../platform/http/route.ts'
import { exampleOf } from './example.ts'
import { responsesOf } from './responses.ts'

type Json = Record<string, unknown>

/** Describes one route as an operation of the document. */
export function operationOf(route: Route): Json {
  const body = bodyOf(route)
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: [sentencesOf(route), permissions[route.access]].filter(Boolean).join('\n\n'),
    security: security[route.access],
    parameters: [
      ...parametersOf('path', route.params),
      ...parametersOf('query', route.query),
      ...(route.idempotent ? [idempotencyKey(route.idempotent)] : []),
      ...(route.versioned && route.method !== 'GET' ? [ifMatch] : []),
      ...headersIn(route.receives?.headers),
    ].map(offered),
    ...(body && { requestBody: body }),
    responses: responsesOf(route),
  }
}

function sentencesOf({ description, asksAgain }: Route): string {
  const cases = asksAgain === true ? '' : ` ${asksAgain}`
  const asks = asksAgain && `A login older than 15 minutes is 403 \`reauthentication_required\`${cases}.`
  return [description, asks].filter(Boolean).join(' ')
}

const permissions: Record<Access, string> = {
  public: 'Needs no authentication.',
  user: 'For signed-in users, not for API keys.',
  send: 'Any API key may call this.',
  full: 'Needs a `full_access` key or a signed-in user.',
}

const security: Record<Access, Json[]> = {
  public: [],
  user: [{ user: [] }],
  send: [{ apiKey: [] }, { user: [] }],
  full: [{ apiKey: [] }, { user: [] }],
}

/** Names `POST /v1/emails/:id/cancel` `postEmailsByIdCancel`, from the parts that clients depend on anyway. */
function operationId({ method, path }: Route): string {
  const words = path.split(/[/._-]/).filter((part) => part !== '' && part !== 'v1')
  const named = words.map((word) => (word.startsWith(':') ? `By${capital(word.slice(1))}` : capital(word)))
  return method.toLowerCase() + named.join('')
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function parametersOf(place: 'path' | 'query', schema: TSchema | undefined): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
    }
  })
}

/**
 * Shows the example of an optional parameter without filling it in: the reference page sends what it shows, and a first
 * try with a filter or with the `Idempotency-Key` of an example would not answer what was asked.
 */
function offered(parameter: Json): Json {
  const { examples = [], default: usual, enum: values = [] } = parameter.schema as Record<string, unknown[]>
  const [value = usual ?? values[0]] = examples
  if (parameter.required || value === undefined) return parameter
  return { ...parameter, examples: { offered: { value, 'x-disabled': true } } }
}

/** The headers that a signed request must carry. */
function headersIn(headers: Record<string, string> = {}): Json[] {
  return Object.entries(headers).map(([name, description]) => {
    return { name, in: 'header', required: true, description, schema: { type: 'string' } }
  })
}

const usualKey =
  'The same key with the same body answers as the first time and does nothing anew; with another body 409. Kept for at least 24 hours.'

function idempotencyKey(idempotent: true | string): Json {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: idempotent === true ? usualKey : idempotent,
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$', examples: ['order-4711'] },
  }
}

const ifMatch: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the answer that was read: the change is made only if the resource is still that version, else it is 412. Without the header any version is changed.',
  schema: { type: 'string', examples: ['"2cf24dba5fb0a30e26e83b2ac5b9e29e"'] },
}

const form = 'application/x-www-form-urlencoded'
const mediaTypes = {
  json: ['application/json'],
  form: [form],
  bytes: ['application/json'],
  data: ['application/json', 'application/*+json', form],
}

function bodyOf({ body, bodyOptional, takes = 'json', receives }: Route): Json | null {
  if (receives) {
    const { schema, contentType = 'application/json' } = receives
    return { required: true, content: { [contentType]: withExample(schema) } }
  }
  if (!body) return null
  const content = Object.fromEntries(mediaTypes[takes].map((type) => [type, withExample(body)]))
  return { required: !bodyOptional, content }
}

function withExample(schema: TSchema): Json {
  const example = exampleOf(schema)
  return { schema, ...(example !== undefined && { example }) }
}

/** A request that the server sends, as an operation of its receiver. */
export function outboundOperationOf({ name, summary, description, headers, body }: OutboundCall): Json {
  return {
    operationId: `receive${name.split(/[._]/).map(capital).join('')}`,
    summary,
    description,
    // The receiver verifies the signature in the headers.
    security: [],
    parameters: headersIn(headers),
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: { '2XX': { description: 'Received. Any other answer is a failed attempt.' } },
  }
}
