import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../../test/app.ts'
import { pluckRows } from '../../../test/pluck.ts'
import { nodeTypes } from './registry.ts'

const posthorn = await sharedTestApp()

test('every node type is listed with the descriptions that an editor needs', async () => {
  const team = await posthorn.team()
  const answer = await ok(team.api.get('/v1/workflows/node-types'))
  type Schema = { type: string; additionalProperties: boolean }
  type Listed = { type: string; kind: string; title: string; description: string; configSchema: Schema }
  const listed: (Listed & { branches: string[] })[] = answer.data
  assert.deepEqual(
    pluckRows(listed, 'type', 'kind'),
    nodeTypes.map(({ type, kind }) => [type, kind]),
  )
  for (const { type, title, description, configSchema } of listed) {
    assert.ok(title.length > 0 && description.length > 0, type)
    assert.deepEqual([configSchema.type, configSchema.additionalProperties], ['object', false], type)
  }
  const branching = listed.filter(({ branches }) => branches.length > 0)
  assert.deepEqual(pluckRows(branching, 'type', 'branches'), [['condition', ['true', 'false']]])
})

test('fields that hold an id name the list that it comes from, and code names its language', async () => {
  const team = await posthorn.team()
  type Field = { 'x-resource'?: string; contentMediaType?: string }
  type Listed = { type: string; configSchema: { properties: Record<string, Field> } }
  const { data }: { data: Listed[] } = (await team.api.get('/v1/workflows/node-types')).body
  const resources: Record<string, string> = {
    segment_id: 'segments',
    template_id: 'templates',
    domain_id: 'domains',
    broadcast_id: 'broadcasts',
    credential_id: 'credentials',
  }
  const fields = data.flatMap(({ type, configSchema }) =>
    Object.entries(configSchema.properties).map(([name, field]) => ({ at: `${type}.${name}`, name, field })),
  )
  for (const { at, name, field } of fields) assert.equal(field['x-resource'], resources[name], at)
  const found = new Set(fields.map(({ field }) => field['x-resource']).filter((one) => one !== undefined))
  assert.deepEqual([...found].toSorted(), Object.values(resources).toSorted())
  assert.equal(fields.find(({ at }) => at === 'code.source')?.field.contentMediaType, 'text/javascript')
})
