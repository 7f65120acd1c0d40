import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { mayHold } from '../platform/request-log/marks.ts'
import { openLog } from './fixtures/log.ts'

const { posthorn, flush, noteOf, member } = await openLog()
const { app, clock } = posthorn

test('requests that several processes answered in one second are listed by their time', async () => {
  const { list, teamId } = await member()
  clock.advance(60_000)
  const from = encodeURIComponent(clock.now().toISOString())
  const ids = Array.from({ length: 6 }, () => app.newId())
  for (const turn of [0, 1]) {
    for (const [n, id] of ids.entries()) if (n % 2 === turn) noteOf({ teamId, id, path: `/v1/${n}` })
    await flush()
  }
  const walked = []
  for (let cursor = ''; ; ) {
    const page = await list(`from=${from}&limit=2${cursor}`)
    walked.push(...page.data.map(({ path }: { path: string }) => path))
    if (!page.hasMore) break
    cursor = `&cursor=${page.cursor}`
  }
  assert.deepEqual(walked.slice(-6), ['/v1/5', '/v1/4', '/v1/3', '/v1/2', '/v1/1', '/v1/0'])
})

test('one request among thousands is found by its status, its path and its key', async () => {
  const { list, paths, teamId } = await member()
  const [apiKeyId, other] = [app.newId(), app.newId()]
  for (let second = 0; second < 20; second++) {
    clock.advance(1000)
    for (let n = 0; n < 600; n++) noteOf({ teamId, path: `/v1/emails/${second}-${n}`, apiKeyId: other })
    if (second === 7) noteOf({ teamId, path: '/v1/rare', status: 418, apiKeyId })
    await flush()
  }
  for (const query of ['status=418', 'path=/v1/rare', `apiKeyId=${apiKeyId}`, `status=418&apiKeyId=${apiKeyId}`]) {
    assert.deepEqual(await paths(query), ['/v1/rare'], query)
  }
  assert.deepEqual(await paths(`status=418&apiKeyId=${other}`), [])
  assert.deepEqual(await paths('path=/v1/emails/3-599'), ['/v1/emails/3-599'])
  assert.equal((await list(`apiKeyId=${other}&limit=100`)).data.length, 100)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from request_pages where team_id = ${teamId} and ${mayHold({ path: '/v1/rare' })}
  `.execute(app.db)
  assert.ok(rows[0]!.count < 5, `reads ${rows[0]!.count} of 40 pages`)
})
