import type { Route } from '../../src/platform/http/route.ts'
import { createComponents, type Json } from '../../src/reference/components.ts'
import { methodOf } from './names.ts'
import { type Schema, typeText } from './type-text.ts'

export const made = '// Made by "npm run generate" from the routes. Do not edit.\n'
export const head =
  made + '// biome-ignore-all format: the generator writes one line a field, so that a diff shows each change once\n'

/** The routes that programs with a key call and whose answer ends, each by its operation id. */
export function programRoutes(routes: readonly Route[]): Route[] {
  const isTrigger = (route: Route) => route.operationId === 'triggerWorkflow'
  const isForKeys = ({ access }: Route) => access === 'send' || access === 'full'
  const isOne = (route: Route) => (isForKeys(route) && route.operationId) || isTrigger(route)
  const ends = ({ produces = '' }: Route) => !produces.startsWith('text/event-stream')
  return routes.filter((route) => isOne(route) && ends(route) && route.tag !== 'Provider events')
}

/**
 * Returns sdk/src/api.ts: the shapes of the API, a table of its operations for the client, and the same as types for
 * the compiler.
 */
export function sdkFile(routes: readonly Route[]): string {
  const called = programRoutes(routes)
  const [requests, answers] = [createComponents(), createComponents()]
  const types = called.map((route) => typeOf(route, requests.refer, answers.refer))
  const told = eventsOf(routes)
  const shapes = {
    ...shapesOf(requests.schemas, 'string | Date'),
    ...shapesOf(answers.schemas, 'string'),
    ...shapesOf(told, 'string'),
  }
  const sorted = Object.entries(shapes).sort(([one], [other]) => one.localeCompare(other, 'en'))
  return [
    head,
    ...sorted.map(([name, text]) => `export type ${name} = ${text}\n`),
    `/** The body of a delivery to a webhook. Its \`type\` names the event. */\nexport type WebhookEvent = ${Object.keys(told).join(' | ')}\n`,
    '/**\n * Method and path of each operation. Then what it takes, `body`, `query` or `key` (an Idempotency-Key), and `text` or `bytes` for\n * what is not JSON.\n */',
    `export const operations = {\n${called.map(rowOf).join('\n')}\n} as const\n`,
    `export type Operations = {\n${types.join('\n')}\n}\n`,
  ].join('\n')
}

/** Returns sdk/src/methods.ts: a method for each operation, in groups such as `segments` and `sms.senders`. */
export function methodsFile(routes: readonly Route[]): string {
  const root: Group = new Map()
  for (const route of programRoutes(routes)) {
    const words = methodOf(route).split('.')
    const group = words.slice(0, -1).reduce(partOf, root)
    const name = words.at(-1)!
    if (group.has(name)) throw new Error(`${route.operationId}: another operation has the method ${methodOf(route)}.`)
    group.set(name, callOf(route))
  }
  return [
    made.trimEnd(),
    "import type { MakeCall, MakeList } from './client.ts'\n",
    '/** Makes a method for each operation that a program may call. */',
    `export const makeMethods = (call: MakeCall, list: MakeList) => (${groupText(root, '')})\n`,
  ].join('\n')
}

type Group = Map<string, string | Group>

function partOf(group: Group, name: string): Group {
  const known = group.get(name)
  if (typeof known === 'string') throw new Error(`The method ${name} is a group of methods, too.`)
  const part: Group = known ?? new Map()
  group.set(name, part)
  return part
}

/** The next page of some lists begins behind an entry that `after` names. */
function callOf({ operationId, response, query }: Route): string {
  if (!isPaged(response as Schema)) return `call('${operationId}')`
  const { cursor } = (query as Schema | undefined)?.properties ?? {}
  return `list('${operationId}'${cursor ? '' : ", 'after'"})`
}

/** Tells whether an answer is a page of a list. */
export function isPaged({ properties = {} }: Schema): boolean {
  return 'data' in properties && 'cursor' in properties
}

function groupText(group: Group, indent: string): string {
  const parts = [...group].map(([name, part]) => {
    return `${indent}  ${name}: ${typeof part === 'string' ? part : groupText(part, `${indent}  `)},\n`
  })
  return `{\n${parts.join('')}${indent}}`
}

/** The bodies that webhooks are sent: that of `email.delivery_delayed` is `EmailDeliveryDelayedEvent`. */
function eventsOf(routes: readonly Route[]): Record<string, Json> {
  const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1)
  const nameOf = (type: string) => `${type.split(/[._]/).map(capital).join('')}Event`
  const calls = routes.flatMap(({ sends = [] }) => sends)
  return Object.fromEntries(calls.map(({ name, body }) => [nameOf(name), body as Json]))
}

function rowOf(route: Route): string {
  const { operationId, method, path, body, receives, idempotent, produces } = route
  const words = [method, path]
  if (body || receives) words.push('body')
  else if (queryOf(route)) words.push('query')
  if (idempotent) words.push('key')
  if (produces) words.push(produces.startsWith('text/') ? 'text' : 'bytes')
  return `  ${operationId}: '${words.join(' ')}',`
}

type Refer = (schema: object) => Json

/** A property that may be left out ends in `?`: a body that may be missing, and a query without a required name. */
function typeOf(route: Route, referRequest: Refer, referAnswer: Refer): string {
  const { operationId, path, body, bodyOptional, receives, response, produces } = route
  const ids = [...path.matchAll(/:(\w+)/g)].map(([, name]) => `${name}: string`)
  const parts = [`ids: [${ids.join(', ')}]`]
  const taken = body ?? receives?.schema
  if (taken) parts.push(`body${bodyOptional ? '?' : ''}: ${print(referRequest(taken), 'string | Date')}`)
  const query = queryOf(route)
  if (query)
    parts.push(`query${(query.required ?? []).length > 0 ? '' : '?'}: ${print(query as Json, 'string | Date')}`)
  const answer = produces
    ? produces.startsWith('text/')
      ? 'string'
      : 'Uint8Array'
    : print(referAnswer(response), 'string')
  parts.push(`answer: ${answer}`)
  return `  ${operationId}: { ${parts.join('; ')} }`
}

/** The query without `mode`, which is for signed-in people: a key has its mode. */
function queryOf({ query }: Route): Schema | null {
  if (!query) return null
  const { mode: _, ...properties } = (query as Schema).properties ?? {}
  return Object.keys(properties).length > 0 ? { ...(query as Schema), properties } : null
}

function shapesOf(schemas: Record<string, Json>, time: string): Record<string, string> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, shapeText(schema, time)]))
}

/** An object has its fields with their descriptions, a line each. */
function shapeText(schema: Json, time: string): string {
  const { properties, required = [], additionalProperties } = schema as Schema
  if (!properties || Object.keys(properties).length === 0) return print(schema, time)
  const fields = Object.entries(properties).map(([name, field]) => {
    const { description } = field as { description?: string }
    const said = description ? `  /** ${description.replaceAll('*/', '* /')} */\n` : ''
    return `${said}  ${nameText(name)}${required.includes(name) ? '' : '?'}: ${print(field as Json, time)}`
  })
  if (additionalProperties === true) fields.push('  [name: string]: unknown')
  return `{\n${fields.join('\n')}\n}`
}

function nameText(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`
}

function print(schema: Json, time: string): string {
  return typeText(schema as Schema, { time })
}
