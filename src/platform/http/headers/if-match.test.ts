import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp, type TestTeam } from '../../../../test/app.ts'

const posthorn = await sharedTestApp()

/** Makes one thing of each kind that several people edit. Returns their paths, and changes of each. */
async function makeDrafts({ api, domain }: TestTeam) {
  const { body: segment } = await api.post('/v1/segments', { name: 'Readers' })
  const letter = { name: 'News', from: `a@${domain}`, segmentId: segment.id, subject: 'News', text: 'x' }
  const [template, broadcast, workflow] = await Promise.all([
    api.post('/v1/templates', { name: 'Welcome', text: 'x' }),
    api.post('/v1/broadcasts', letter),
    api.post('/v1/workflows', { name: 'Greet' }),
  ])
  const nodes = (id: string) => ({ nodes: [{ id, type: 'manual', name: id, config: {}, position: { x: 0, y: 0 } }] })
  return [
    { path: `/v1/templates/${template.body.id}`, changes: [{ text: 'one' }, { text: 'two' }] },
    { path: `/v1/broadcasts/${broadcast.body.id}`, changes: [{ subject: 'one' }, { subject: 'two' }] },
    { path: `/v1/workflows/${workflow.body.id}`, changes: [nodes('one'), nodes('two')] },
  ] as const
}

test('only one of two simultaneous saves of the same version succeeds, and the other changes nothing', async () => {
  const team = await posthorn.team()
  for (const { path, changes } of await makeDrafts(team)) {
    for (let round = 0; round < 10; round++) {
      const etag = (await team.api.get(path)).headers.etag!
      const saves = changes.map((change, n) => ({ ...change, name: `Round ${round}, editor ${n}` }))
      const answers = await Promise.all(saves.map((save) => team.api.patch(path, save, { 'if-match': etag })))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412], path)
      const [saved, refused] = answers[0]!.status === 200 ? answers : answers.toReversed()
      assert.deepEqual([refused!.body.status_code, refused!.body.name], [412, 'precondition_failed'])
      assert.match(refused!.body.message, /Nothing was changed.*Read it again/)
      const now = await team.api.get(path)
      assert.deepEqual([now.body, now.headers.etag], [saved!.body, saved!.headers.etag])
      assert.notEqual(now.headers.etag, etag)
    }
  }
})

test('a change without If-Match replaces any version, as does one with *', async () => {
  const team = await posthorn.team()
  for (const { path, changes } of await makeDrafts(team)) {
    assert.equal((await team.api.patch(path, changes[0])).status, 200)
    assert.equal((await team.api.patch(path, changes[1], { 'if-match': '*' })).status, 200)
  }
})

test('a version that comes back counts, and one that never was does not', async () => {
  const team = await posthorn.team()
  for (const { path, changes } of await makeDrafts(team)) {
    const known = (await team.api.get(path)).headers.etag!
    const bare = known.slice(1, -1)
    const save = (tags: string) => team.api.patch(path, changes[0], { 'if-match': tags })
    for (const tags of ['"other"', `"a,b" , "${bare.slice(1)}"`, '""'])
      assert.equal((await save(tags)).status, 412, tags)
    const { headers } = await save(`"other", ${known}`)
    assert.equal((await save(known)).status, 412)
    assert.equal((await save(`W/${headers.etag}`)).status, 200, 'marked as weak by a proxy')
    const now = (await team.api.get(path)).headers.etag!
    assert.equal((await save(now.replace(/"$/, '-gzip"'))).status, 200, 'marked as compressed by a proxy')
  }
})

test('a header that is no list of entity tags is 400', async () => {
  const team = await posthorn.team()
  const [{ path, changes }] = await makeDrafts(team)
  for (const header of ['', 'abc', '"abc', '"a" "b"', '"a",', '*, "a"']) {
    const { status, body } = await team.api.patch(path, changes[0], { 'if-match': header })
    assert.deepEqual([status, body.errors[0].path], [400, 'If-Match'], header)
  }
})

test('a broadcast that left is a conflict, and a missing one is not found, whatever the version', async () => {
  const team = await posthorn.team()
  const [, { path, changes }] = await makeDrafts(team)
  const etag = (await team.api.get(path)).headers.etag!
  assert.equal((await team.api.post(`${path}/send`)).status, 200)
  assert.equal((await team.api.patch(path, changes[0], { 'if-match': etag })).status, 409)
  const other = await posthorn.team()
  assert.equal((await other.api.patch(path, changes[0], { 'if-match': etag })).status, 404)
})

test('a marketer saves the version that marketers see', async () => {
  const team = await posthorn.team()
  const [, , { path }] = await makeDrafts(team)
  const slack = { webhook_url: 'https://hooks.slack.com/services/secret', message: 'x' }
  const node = { id: 'a', type: 'slack_notification', name: 'a', config: slack, position: { x: 0, y: 0 } }
  const drawn = await team.api.patch(path, { nodes: [node] })
  const { api } = await team.member('marketer')
  const seen = (await api.get(path)).headers.etag!
  assert.notEqual(seen, drawn.headers.etag)
  const saved = await api.patch(path, { name: 'One' }, { 'if-match': seen })
  assert.equal(saved.status, 200)
  assert.equal((await api.get(path)).headers.etag, saved.headers.etag)
})
