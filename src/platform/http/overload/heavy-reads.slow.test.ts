// needs: alone
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../../../test/app.ts'
import { countWaiting, untilWaiting, whileLocked } from '../../../../test/while-locked.ts'

const posthorn = await createTestApp()
const other = await posthorn.another()

test("slow searches of one team leave connections to others, and the team's further searches wait in a bounded queue", async () => {
  const [team, honest] = [await posthorn.team(), await posthorn.team()]
  await team.api.post('/v1/contacts', { email: 'ada@example.com' })
  const statuses: number[] = []
  const searches: Promise<unknown>[] = []
  const search = async (path: string) => {
    const answer = await team.api.get(path)
    statuses.push(answer.status)
    return answer
  }
  await whileLocked(other.app, sql`lock table contacts in access exclusive mode`, async () => {
    for (let index = 0; index < 103; index++) searches.push(search('/v1/contacts?search=ada'))
    await untilWaiting(other.app, 3)
    const refused = await search('/v1/contacts?search=ada')
    assert.deepEqual([refused.status, refused.body.name], [429, 'rate_limit_exceeded'])
    assert.match(refused.body.message, /^Too many searches of this team at once/)
    assert.equal((await honest.api.get('/v1/suppressions?search=ada')).status, 200)
    assert.equal((await team.api.get('/v1/templates')).status, 200, 'what is no search goes on')
    assert.equal(await countWaiting(other.app), 3)
  })
  await Promise.all(searches)
  assert.deepEqual(
    statuses.filter((status) => status === 200),
    Array(103).fill(200),
  )
})
