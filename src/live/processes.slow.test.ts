// needs: waiting
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, createWorkshop, email } from '../../test/faults/installation.ts'
import { openStream } from './fixtures/open-stream.ts'

const workshop = await createWorkshop()
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

test('a change in one process is heard in another, a revoked key too, and a stop ends streams at once', async () => {
  const { first, start, key } = await workshop.install()
  const second = await start()
  const made = await call(first, key, 'POST', '/v1/api-keys', { name: 'short-lived', permission: 'full_access' })
  const { id, key: shortLived } = made.body as { id: string; key: string }
  const [kept, revoked] = [await openStream(second.url, bearer(key)), await openStream(second.url, bearer(shortLived))]
  const sent = await call(first, key, 'POST', '/v1/emails', email('1'))
  await kept.heard('emails', (sent.body as { id: string }).id)
  await call(first, key, 'DELETE', `/v1/api-keys/${id}`)
  await revoked.ended
  const beganMs = performance.now()
  const stopped = second.stop()
  await kept.ended
  // A stop cuts off what has not ended within eight seconds.
  assert.ok(performance.now() - beganMs < 8000, 'it did not wait for its streams')
  assert.equal(await stopped, 0)
})
