import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../../../test/app.ts'
import { nodeTypes } from './registry.ts'

const posthorn = await sharedTestApp()

test('every node type is listed with the descriptions that an editor needs', async () => {
  const team = await posthorn.team()
  const answer = await team.api.get('/v1/workflows/node-types')
  assert.equal(answer.status, 200)
  type Schema = { type: string; additionalProperties: boolean }
  type Listed = { type: string; kind: string; title: string; description: string; configSchema: Schema }
  const listed: (Listed & { branches: string[] })[] = answer.body.data
  assert.deepEqual(
    listed.map(({ type, kind }) => [type, kind]),
    nodeTypes.map(({ type, kind }) => [type, kind]),
  )
  for (const { type, title, description, configSchema } of listed) {
    assert.ok(title.length > 0 && description.length > 0, type)
    assert.deepEqual([configSchema.type, configSchema.additionalProperties], ['object', false], type)
  }
  const branching = listed.filter(({ branches }) => branches.length > 0)
  assert.deepEqual(
    branching.map(({ type, branches }) => [type, branches]),
    [['condition', ['true', 'false']]],
  )
})
