import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp } from '../../test/app.ts'
import { databaseProxy } from '../../test/database-proxy.ts'

const limit = 3
const database = databaseProxy()
after(() => database.close())
const posthorn = await createTestApp({ PUBLIC_REQUESTS_PER_MINUTE: String(limit) }, { through: database.through })

test('while the database is gone, callers past the limit of their address are told to repeat soon, not to wait a minute', async () => {
  const { api } = await posthorn.team()
  database.cut()
  for (let count = 0; count < 2 * limit; count++) {
    const answer = await api.get('/v1/contacts')
    assert.equal(answer.status, 503, JSON.stringify(answer.body))
    assert.ok(Number(answer.headers['retry-after']) <= 5)
  }
  database.mend()
  assert.equal((await api.get('/v1/contacts')).status, 200)
})
