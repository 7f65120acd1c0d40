// needs: waiting
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awayFromMidnight } from '../patience.ts'
import { runCommand } from '../server-process.ts'
import { call, createWorkshop, type Email, email } from './installation.ts'

const workshop = await createWorkshop()

/** A command on the data folder of a running server. */
test('two processes share limits, idempotency keys and revocations exactly', async () => {
  const { first, start, key, dataDir } = await workshop.install()
  const second = await start()
  const servers = [first, second]
  const [teamId] = (await runCommand(dataDir, 'team', 'list')).split('\t')
  await runCommand(dataDir, 'team', 'set-limits', teamId!, 'dailyEmailLimit=30')
  await awayFromMidnight()
  const answers = await Promise.all(
    Array.from({ length: 80 }, (_, n) =>
      call(servers[n % 2]!, key, 'POST', '/v1/emails', email(`${n % 40}`), `key ${n % 40}`),
    ),
  )
  const sent = answers.filter((answer) => answer.status === 200)
  assert.equal(new Set(sent.map((answer) => (answer.body as Email).id)).size, 30)
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))].sort(), [200, 429])
  for (const answer of sent) assert.equal(workshop.received((answer.body as Email).id), 1)

  const made = await call(first, key, 'POST', '/v1/api-keys', { name: 'short-lived' })
  const { id, key: shortLived } = made.body as { id: string; key: string }
  assert.equal((await call(second, shortLived, 'GET', '/v1/emails')).status, 200)
  await call(first, key, 'DELETE', `/v1/api-keys/${id}`)
  assert.equal((await call(second, shortLived, 'GET', '/v1/emails')).status, 401)

  assert.equal(await first.stop(), 0)
  assert.equal((await call(second, key, 'GET', '/ready')).status, 200)
})
