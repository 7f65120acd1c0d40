import type { FastifyRequest } from 'fastify'
import { causeHeader } from '../platform/cause/header.ts'
import { DomainError, invalid } from '../platform/errors.ts'
import { statusOf } from '../platform/http/errors.ts'
import type { Route } from '../platform/http/route.ts'
import { parseExactly } from '../platform/numbers/exact-number.ts'
import { applyRules, refuseTool } from './guard.ts'
import type { Rules } from './rules.ts'
import type { RoutedTool } from './shown.ts'

type Fields = Record<string, unknown>

/** The answer of a tool, as the protocol writes it. The text is for clients that read no structured content. */
type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent: Fields
  isError?: true
}

/** A refusal of the API, with its body. */
class ApiRefusal extends Error {
  readonly body: Fields
  constructor(body: Fields) {
    super('refused')
    this.body = body
  }
}

type Parts = { params: Fields; query: Fields; body: Fields; idempotencyKey?: string; confirmed: boolean }

/**
 * Calls a tool: holds its input against the rules, and makes the request of its route to this server, with the
 * Authorization of `request`. Permissions, limits, idempotency and the log are therefore those of the API.
 */
export async function callTool(
  request: FastifyRequest,
  { tool, route, input }: RoutedTool,
  given: Fields,
  rules: Rules,
) {
  try {
    refuseTool(tool, rules)
    const parts = divide(given, input.places, route, tool.unconfirmed !== undefined)
    const read = (operationId: string) =>
      ask(request, routeNamed(request, operationId), { ...empty, params: parts.params })
    await applyRules(tool, rules, parts.body, read)
    if (!tool.unconfirmed || parts.confirmed) return resultOf(await ask(request, route, parts))
    const counted = await read(tool.unconfirmed)
    return resultOf({ sent: false, ...counted, message: askToConfirm(counted) })
  } catch (error) {
    if (error instanceof ApiRefusal) return { ...resultOf(error.body), isError: true as const }
    if (error instanceof DomainError) return { ...resultOf(bodyOf(error, request.id)), isError: true as const }
    request.log.error({ err: error, reqId: request.id }, 'internal error in a tool')
    return { ...resultOf(bodyOfBug(request.id)), isError: true as const }
  }
}

const empty: Parts = { params: {}, query: {}, body: {}, confirmed: true }

function askToConfirm({ recipients }: Fields): string {
  return `Nothing was sent. ${recipients} contacts would get it now. Call again with confirm: true to send it.`
}

function routeNamed(request: FastifyRequest, operationId: string): Route {
  return request.server.routeTable.find((route) => route.operationId === operationId)!
}

/**
 * Divides the input of a tool among the parts of a request. A field that is not known goes where the API refuses it
 * with its own words.
 */
function divide(given: Fields, places: RoutedTool['input']['places'], route: Route, confirms: boolean): Parts {
  const parts: Parts = { params: {}, query: {}, body: {}, confirmed: false }
  const { confirm, idempotencyKey, ...fields } = given
  if (confirms) parts.confirmed = confirm === true
  else if (confirm !== undefined) throw invalid('confirm', 'is not known')
  if (idempotencyKey !== undefined) {
    if (!route.idempotent) throw invalid('idempotencyKey', 'is not known')
    if (typeof idempotencyKey !== 'string') throw invalid('idempotencyKey', 'must be a text')
    parts.idempotencyKey = idempotencyKey
  }
  for (const [name, value] of Object.entries(fields)) {
    const place = places.get(name) ?? (route.body ? 'body' : 'query')
    if (place === 'body') parts.body[name] = value
    else parts[place === 'path' ? 'params' : 'query'][name] = oneText(name, value)
  }
  return parts
}

/** Returns a value of a path or a query. Lists and objects have no form there. */
function oneText(name: string, value: unknown): string {
  if (!['string', 'number', 'boolean'].includes(typeof value))
    throw invalid(name, 'must be a text, a number or a boolean')
  return String(value)
}

/** Makes a request to this server, as a client would. Returns the answer as an object. Throws the API's refusal. */
async function ask(
  request: FastifyRequest,
  route: Route,
  { params, query, body, idempotencyKey }: Parts,
): Promise<Fields> {
  const search = new URLSearchParams(query as Record<string, string>).toString()
  const { statusCode, headers, payload } = await request.server.inject({
    method: route.method,
    url: pathOf(route, params) + (search && `?${search}`),
    headers: {
      ...passedOn(request),
      accept: 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(route.body && { 'content-type': 'application/json' }),
    },
    // The address that is counted and logged; proxies were resolved before.
    remoteAddress: request.ip,
    ...(route.body && { payload: JSON.stringify(body) }),
  })
  const answer = parseExactly(payload)
  const fields = Array.isArray(answer) ? { data: answer } : (answer as Fields)
  if (statusCode < 300) return fields
  throw new ApiRefusal({ ...fields, requestId: headers['x-request-id'] })
}

/** An id stays one segment of the path: `.` and `..` would be resolved away. */
function pathOf(route: Route, params: Fields): string {
  return route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = String(params[name] ?? '')
    if (/^\.*$/.test(value)) throw invalid(name, 'must be an id')
    return encodeURIComponent(value)
  })
}

const headersPassedOn = ['authorization', 'host', 'user-agent', causeHeader.toLowerCase()]

function passedOn({ headers }: FastifyRequest): Record<string, string> {
  const given = headersPassedOn.map((name): [string, unknown] => [name, headers[name]])
  return Object.fromEntries(given.filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
}

function resultOf(structuredContent: Fields): ToolResult {
  return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] }
}

function bodyOfBug(requestId: string): Fields {
  return {
    status_code: 500,
    name: 'internal_error',
    message: `Something went wrong here. Tell the operator the request id ${requestId}.`,
  }
}

/** The body of a refusal that is made here, in the form of the API's. */
function bodyOf({ kind, message, details: { name, errors } }: DomainError, requestId: string): Fields {
  const { status, name: usual } = statusOf[kind]
  return { status_code: status, name: name ?? usual, message, ...(errors && { errors }), requestId }
}
