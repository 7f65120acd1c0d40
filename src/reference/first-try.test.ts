import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startServer } from '../../test/server-process.ts'

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  examples?: unknown[]
  default?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}
type Parameter = {
  name: string
  in: string
  required: boolean
  schema: Schema
  examples?: Record<string, { 'x-disabled'?: boolean }>
}
type Operation = {
  security: object[]
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

const folder = mkdtempSync(join(tmpdir(), 'posthorn-first-try-'))
const server = await startServer({ DATA_DIR: folder, DASHBOARD: 'off' })
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})
const [key = assert.fail(server.output())] = /ph_\w{32,}/.exec(server.output()) ?? []
const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
  paths: Record<string, Record<string, Operation>>
}

/** The example of a whole value, or one made of the examples of its fields. */
function exampleOf({ examples, default: usual, enum: values, properties, required = [], items }: Schema): unknown {
  if (examples) return examples[0]
  if (usual !== undefined) return usual
  if (values) return values[0]
  if (items) return [exampleOf(items)]
  if (!properties) return undefined
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name]!)]))
}

async function tryOut(method: string, path: string) {
  const { requestBody } = document.paths[path]![method]!
  const schema = requestBody?.content['application/json']?.schema
  const answer = await fetch(server.url + path, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(schema && { body: JSON.stringify(exampleOf(schema)) }),
  })
  return { status: answer.status, text: await answer.text() }
}

test('the example of sending an email sends one at each try on a new installation', async () => {
  const ids = new Set<string>()
  for (let time = 0; time < 2; time++) {
    const { status, text } = await tryOut('post', '/v1/emails')
    assert.equal(status, 200, text)
    ids.add(JSON.parse(text).id)
  }
  assert.equal(ids.size, 2)
})

test('the reference page fills in no optional parameter', () => {
  for (const methods of Object.values(document.paths)) {
    for (const { parameters } of Object.values(methods)) {
      for (const { name, required, schema, examples } of parameters) {
        const filledIn = [schema.examples, schema.default, schema.enum].some((value) => value !== undefined)
        if (!required && filledIn) assert.equal(Object.values(examples ?? {})[0]?.['x-disabled'], true, name)
      }
    }
  }
})
