import type { TSchema } from 'typebox'
import type { OutboundCall } from '../platform/http/outbound-call.ts'
import type { Access, Route } from '../platform/http/route.ts'
import { type Components, capital, type Json } from './components.ts'
import { exampleOf } from './example.ts'
import { responsesOf } from './responses.ts'

export type Operation = Json & { parameters?: Json[]; responses: Record<string, Json> }

/** Describes one route as an operation of the document. Adds what it names to the components. */
export function operationOf(route: Route, components: Components): Operation {
  const body = bodyOf(route, components)
  const parameters = [
    ...parametersOf('path', route.params),
    ...parametersOf('query', route.query),
    ...(route.idempotent ? [idempotencyKey(route.idempotent)] : []),
    ...(route.versioned && route.method !== 'GET' ? [ifMatch] : []),
    ...headersIn(route.receives?.headers),
  ].map(offered)
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: [sentencesOf(route), permissionOf(route)].filter(Boolean).join('\n\n'),
    ...(security[route.access] !== usualSecurity && { security: security[route.access] }),
    'x-permission': permissionNames[route.access],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: responsesOf(route, components),
  }
}

function sentencesOf({ description, asksAgain }: Route): string {
  const cases = asksAgain === true ? '' : ` ${asksAgain}`
  const asks = asksAgain && `A login older than 15 minutes is 403 \`reauthentication_required\`${cases}.`
  return [description, asks].filter(Boolean).join(' ')
}

function permissionOf({ access, closedToDomainKeys }: Route): string {
  return closedToDomainKeys ? 'Any API key that is not restricted to a domain may call this.' : permissions[access]
}

const permissions: Record<Access, string> = {
  public: 'Needs no authentication.',
  user: 'For signed-in users, not for API keys.',
  send: 'Any API key may call this.',
  full: 'Needs a `full_access` key or a signed-in user.',
}

const permissionNames: Record<Access, string> = {
  public: 'public',
  user: 'user',
  send: 'sending_access',
  full: 'full_access',
}

/** The security of the whole document. Operations that need another one say so. */
export const usualSecurity: Json[] = [{ apiKey: [] }, { user: [] }]

const security: Record<Access, Json[]> = {
  public: [],
  user: [{ user: [] }],
  send: usualSecurity,
  full: usualSecurity,
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
      ...((place === 'path' || required.includes(name)) && { required: true }),
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
  const { examples = [], ...schema } = parameter.schema as Record<string, unknown[]>
  const { default: usual, enum: values = [] } = schema
  const [value = usual ?? values[0]] = examples
  if (parameter.required || value === undefined) return parameter
  return { ...parameter, schema, examples: { offered: { value, 'x-disabled': true } } }
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
    description: idempotent === true ? usualKey : idempotent,
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$', examples: ['order-4711'] },
  }
}

const ifMatch: Json = {
  name: 'If-Match',
  in: 'header',
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

function bodyOf({ body, bodyOptional, takes = 'json', receives }: Route, components: Components): Json | null {
  if (receives) {
    const { schema, contentType = 'application/json' } = receives
    const content = contentType === 'text/plain' ? asText(schema, components) : withExample(schema, components)
    return { required: true, content: { [contentType]: content } }
  }
  if (!body) return null
  const content = Object.fromEntries(mediaTypes[takes].map((type) => [type, withExample(body, components)]))
  return { required: !bodyOptional, content }
}

function withExample(schema: TSchema, components: Components): Json {
  const example = exampleOf(schema)
  return { schema: components.refer(schema), ...(example !== undefined && { example }) }
}

/** JSON that is sent as text, as Amazon SNS does. */
function asText(schema: TSchema, components: Components): Json {
  const described = { type: 'string', contentMediaType: 'application/json', contentSchema: components.refer(schema) }
  return { schema: described, example: JSON.stringify(exampleOf(schema)) }
}

/** A request that the server sends, as an operation of its receiver. */
export function outboundOperationOf(call: OutboundCall, components: Components): Operation {
  const { name, summary, description, headers, body, success } = call
  const named = name.split(/[._]/).map(capital).join('')
  components.responses.DeliveryReceived ??= { description: success }
  return {
    operationId: `receive${named}`,
    summary,
    description,
    // The receiver verifies the signature in the headers.
    security: [],
    parameters: headersIn(headers),
    requestBody: {
      required: true,
      content: { 'application/json': withExample({ title: `${named}Event`, ...body }, components) },
    },
    responses: { '2XX': { $ref: '#/components/responses/DeliveryReceived' } },
  }
}
