import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../src/app.ts'
import { nodeTypes } from '../src/workflows/nodes/registry.ts'
import { sharedTestApp } from './app.ts'
import { slowTest } from './slow.ts'

type Schema = { [keyword: string]: unknown; type?: string | string[] }

const posthorn = await sharedTestApp()
const team = await posthorn.team()

/** Values that may be any JSON, or that are checked row by row after the schema, so that a fault affects one row. */
const unchecked = [/^POST \/v1\/contacts\/import body\.contacts\/items\./, /^POST \/v1\/workflows\/triggers\//]
/** Formats that limit the length. */
const boundedFormats = ['uuid', 'date-time']

function unbounded(schema: unknown, at: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((part, index) => unbounded(part, `${at}[${index}]`))
  if (typeof schema !== 'object' || schema === null) return []
  const node = schema as Schema
  return [...faultsOf(node, at), ...partsOf(node, at).flatMap(([part, where]) => unbounded(part, where))]
}

function faultsOf(schema: Schema, at: string): string[] {
  const types = [schema.type ?? []].flat()
  const isFixed = schema.enum !== undefined || schema.const !== undefined
  const isOpen = schema.additionalProperties !== false
  const isAnything = types.length === 0 && !isFixed && !schema.anyOf && !unchecked.some((known) => known.test(at))
  return [
    ...(types.includes('object') && isOpen && schema.maxProperties === undefined ? [`${at}: no maxProperties`] : []),
    ...(types.includes('array') && schema.maxItems === undefined ? [`${at}: no maxItems`] : []),
    ...(types.includes('string') && !isFixed && !hasLength(schema) ? [`${at}: no maxLength`] : []),
    ...(isAnything ? [`${at}: any value`] : []),
  ]
}

function hasLength({ maxLength, format }: Schema): boolean {
  return maxLength !== undefined || boundedFormats.includes(String(format))
}

function partsOf(schema: Schema, at: string): [unknown, string][] {
  const named = ['properties', 'patternProperties'].flatMap((keyword) =>
    Object.entries(schema[keyword] ?? {}).map(([name, part]): [unknown, string] => [part, `${at}.${name}`]),
  )
  const nested = ['items', 'additionalProperties', 'anyOf'].map((keyword): [unknown, string] => [
    schema[keyword],
    `${at}/${keyword}`,
  ])
  return [...named, ...nested]
}

test('every object, list and text of a request is bounded', () => {
  const found = routes
    .filter(({ forgiving }) => !forgiving)
    .flatMap(({ method, path, body, query, params }) =>
      Object.entries({ body, query, params }).flatMap(([part, schema]) =>
        unbounded(schema, `${method} ${path} ${part}`),
      ),
    )
  assert.deepEqual(
    found,
    [],
    'Give it maxProperties, maxItems or maxLength; or an enum, a const, or a format of its own.',
  )
})

test('every record and list in the config of a workflow’s node is bounded', () => {
  const found = nodeTypes.flatMap(({ type, config }) => unbounded(config, type))
  // The size of the body limits the texts, since a config is saved as a whole.
  assert.deepEqual(
    found.filter((fault) => /maxProperties|maxItems/.test(fault)),
    [],
  )
})

slowTest('31 MB of three million variables are refused, and so are 1,001 variables', async () => {
  const email = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'x', text: '{{k1}}' }
  const send = (variables: string) =>
    team.api.post('/v1/emails', `${JSON.stringify(email).slice(0, -1)},"templateVariables":{${variables}}}`)
  const millions = Array.from({ length: 3_000_000 }, (_, index) => `"k${index}":1`).join()
  const refused = await send(millions)
  assert.deepEqual([refused.status, refused.body.name], [400, 'validation_error'])
  assert.match(refused.body.message, /at most 10,000 members/)
  const named = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join()
  const alsoRefused = await send(named(1001))
  assert.equal(alsoRefused.status, 400)
  assert.match(alsoRefused.body.message, /^templateVariables: must have at most 1,000 fields/)
  assert.equal((await send(named(1000))).status, 200)
})

test('the length of a text is measured in characters', async () => {
  const named = (name: string) => team.api.post('/v1/templates', { name })
  assert.equal((await named('🎉'.repeat(200))).status, 200)
  for (const name of ['🎉'.repeat(201), 'x'.repeat(201), 'x'.repeat(500_000)]) {
    const answer = await named(name)
    assert.equal(answer.status, 400)
    assert.equal(answer.body.message, 'name: must have at most 200 characters')
  }
  assert.equal((await named('')).body.message, 'name: must not be empty')
})

test('a refresh token of any length is unknown, not malformed', async () => {
  for (const length of [1, 500, 60_000])
    assert.equal((await posthorn.anyone.post('/auth/refresh', { refreshToken: 'x'.repeat(length) })).status, 401)
})

test('a text with more placeholders than the limit is refused', async () => {
  const common = { from: `a@${team.domain}`, subject: 'x', text: '{{a}}'.repeat(25_001) }
  const email = { ...common, to: ['ada@example.com'], templateVariables: { b: '' } }
  const refused = await team.api.post('/v1/emails', email)
  assert.equal(refused.status, 400)
  assert.match(refused.body.message, /^templateVariables: cannot fill a text that has more than 25,000 placeholders/)
  const { id: segmentId } = (await team.api.post('/v1/segments', { name: 'Readers' })).body
  const broadcast = await team.api.post('/v1/broadcasts', { ...common, name: 'x', segmentId })
  assert.deepEqual([broadcast.status, broadcast.body.message], [400, 'text: has more than 25,000 placeholders'])
})

slowTest('a text of an email has five million characters at most, filled or not', async () => {
  const email = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'x' }
  for (const field of ['html', 'text']) {
    const answer = await team.api.post('/v1/emails', { ...email, [field]: 'x'.repeat(5_000_001) })
    assert.equal(answer.status, 400)
    assert.match(answer.body.message, new RegExp(`^${field}: must have at most 5,000,000 characters`))
  }
})

slowTest('a short batch cannot fill a long template without end', async () => {
  const { body: template } = await team.api.post('/v1/templates', { name: 'Long', html: 'x'.repeat(1_000_000) })
  await team.api.patch(`/v1/templates/${template.id}`, { status: 'published' })
  const email = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'x', templateId: template.id }
  const answer = await team.api.post('/v1/emails/batch', { emails: Array(42).fill(email) })
  assert.equal(answer.status, 400)
  assert.match(answer.body.error, /^emails: hold more than 40 MiB together/)
})

/** Counts the members and elements of the largest value that a schema allows; any JSON counts as empty. */
function mostMembers(schema: unknown): number {
  const {
    type,
    properties = {},
    items,
    maxItems,
    additionalProperties,
    maxProperties,
    anyOf,
  } = (schema ?? {}) as Schema
  if (Array.isArray(anyOf)) return Math.max(...anyOf.map(mostMembers))
  const types = [type ?? []].flat()
  if (types.includes('array')) return Number(maxItems) * (1 + mostMembers(items))
  if (!types.includes('object')) return 0
  const fields = Object.values(properties as object).reduce((sum, field) => sum + 1 + mostMembers(field), 0)
  const isRecord = typeof additionalProperties === 'object'
  return fields + (isRecord ? Number(maxProperties) * (1 + mostMembers(additionalProperties)) : 0)
}

test('a body that its schema allows is not refused for its number of members', () => {
  // A hundred emails with a thousand variables each are deliberately refused.
  const decided = ['/v1/emails/batch']
  const short = routes.filter(
    ({ path, body, membersMax = 10_000 }) => body && mostMembers(body) > membersMax && !decided.includes(path),
  )
  assert.deepEqual(
    short.map(({ method, path, body }) => `${method} ${path}: ${mostMembers(body)}`),
    [],
    'Give the route a membersMax.',
  )
})
