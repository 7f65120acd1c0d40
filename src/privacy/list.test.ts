import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../test/app.ts'
import { pluck } from '../../test/pluck.ts'

const posthorn = await createTestApp()
const path = '/v1/privacy/requests'

test('owners and admins list the requests of their team page by page, newest first', async () => {
  const team = await posthorn.team()
  const [owner, admin] = [await team.member('owner'), await team.member('admin')]
  const made: string[] = []
  for (const type of ['export', 'erase', 'export']) {
    made.push((await ok(owner.api.post(path, { type, email: 'ada@people.test' }))).id)
    posthorn.clock.advance(1000)
  }
  const other = await (await posthorn.team()).member('owner')
  await ok(other.api.post(path, { type: 'export', email: 'eve@people.test' }))
  await posthorn.runDueJobs()
  const first = await ok(admin.api.get(`${path}?limit=2`))
  const second = await ok(admin.api.get(`${path}?limit=2&cursor=${first.cursor}`))
  assert.deepEqual([first.hasMore, first.data.length, second.hasMore, second.cursor], [true, 2, false, null])
  const all = [...first.data, ...second.data]
  assert.deepEqual(pluck(all, 'id'), made.toReversed())
  assert.deepEqual(all[1], await ok(owner.api.get(`${path}/${made[1]}`)))
  assert.ok(!JSON.stringify(all).includes('people.test'))
})

test('other roles and keys do not list them', async () => {
  const team = await posthorn.team()
  for (const role of ['developer', 'marketer', 'viewer'] as const)
    assert.equal((await (await team.member(role)).api.get(path)).status, 403)
  assert.equal((await team.api.get(path)).status, 403)
})
