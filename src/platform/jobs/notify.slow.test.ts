import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase, testServer } from '../../../test/database.ts'
import { databaseProxy } from '../../../test/database-proxy.ts'
import { until } from '../../../test/patience.ts'
import { openDatabase } from '../sql/db.ts'
import { createNotifier, listenForWork } from './notify.ts'

const waits = { pauseMs: 10, probeMs: 50, answerMs: 1000 }

test('a process whose connection was lost without a word hears of work again', async () => {
  const database = await createTestDatabase(await testServer())
  const connections = openDatabase(database.config, () => undefined)
  const proxy = databaseProxy()
  const notify = createNotifier(connections.db)
  let heard = 0
  const listener = listenForWork(await proxy.through(database.config), () => heard++, waits)
  const hearsAgain = (before: number) =>
    until(() => {
      notify()
      return heard > before
    })
  await hearsAgain(0)
  proxy.freeze()
  await hearsAgain(heard)
  await listener.close()
  await connections.close()
  proxy.close()
  await database.drop()
})

test('a message whose connection is silent holds one place of the pool, until the connection is closed', async () => {
  const database = await createTestDatabase(await testServer())
  const proxy = databaseProxy()
  const connections = openDatabase(await proxy.through(database.config), () => undefined)
  const { pool } = connections
  const notify = createNotifier(connections.db)
  const frozen = proxy.freezeAt('notify')
  notify()
  await frozen
  for (let turn = 0; turn < 10; turn++) {
    notify()
    await sleep(30)
  }
  assert.deepEqual([pool.totalCount, pool.idleCount], [1, 0])
  let heard = 0
  const listener = listenForWork(database.config, () => heard++, waits)
  await until(() => heard > 0)
  await listener.close()
  await connections.close()
  proxy.close()
  await database.drop()
})

test('while the database cannot be reached, one connection at a time is tried', async () => {
  let attempts = 0
  const server = createServer((socket) => {
    attempts++
    socket.on('error', () => undefined).destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const listener = listenForWork({ host: '127.0.0.1', port, user: 'nobody' }, () => undefined, { ...waits, pauseMs: 5 })
  const doubled = 2 ** 10
  await until(() => attempts > 0)
  for (let turn = 0; turn < 100 && attempts < doubled; turn++) await new Promise((resolve) => setTimeout(resolve, 5))
  await listener.close()
  server.close()
  assert.ok(attempts > 0 && attempts < doubled, `${attempts} attempts`)
})
