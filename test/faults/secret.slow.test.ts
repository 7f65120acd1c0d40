// needs: waiting
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../server-process.ts'
import { call, createWorkshop, email } from './installation.ts'

const workshop = await createWorkshop()

test('a start with another APP_SECRET fails with its reason; with the old one it works', async () => {
  const { first, start, key, dataDir } = await workshop.install()
  await first.stop()
  const other = { DATA_DIR: dataDir, APP_SECRET: 'another secret, of thirty-two bytes and more' }
  await assert.rejects(startServer(other), /APP_SECRET must be the secret this database was last used with/)
  const server = await start()
  assert.equal((await call(server, key, 'POST', '/v1/emails', email('again'))).status, 200)
  await server.stop()
})
