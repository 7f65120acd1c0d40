import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { until } from '../../../test/patience.ts'
import { slowTest } from '../../../test/slow.ts'
import { listenForWork } from './notify.ts'

slowTest('while the database cannot be reached, one connection at a time is tried', async () => {
  let attempts = 0
  const server = createServer((socket) => {
    attempts++
    socket.on('error', () => undefined).destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const listener = listenForWork({ host: '127.0.0.1', port, user: 'nobody' }, () => undefined, 5)
  const doubled = 2 ** 10
  await until(() => attempts > 0)
  for (let turn = 0; turn < 100 && attempts < doubled; turn++) await new Promise((resolve) => setTimeout(resolve, 5))
  await listener.close()
  server.close()
  assert.ok(attempts > 0 && attempts < doubled, `${attempts} attempts`)
})
