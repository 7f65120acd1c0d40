// needs: waiting
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promptMs } from '../patience.ts'
import type { ServerProcess } from '../server-process.ts'
import { call, createWorkshop, type Email, email, until } from './installation.ts'

const workshop = await createWorkshop()

/** Kills the process that hashes the body of an email with these words, as a bug in native code would. */
const words = 'This email ends the process.'
const killer = `
  import crypto from 'node:crypto'
  import { syncBuiltinESMExports } from 'node:module'
  const kill = (data) => String(data).includes('${words}') && process.kill(process.pid, 'SIGKILL')
  const { hash } = crypto
  const { update } = crypto.Hash.prototype
  crypto.hash = (name, data, ...rest) => (kill(data), hash(name, data, ...rest))
  crypto.Hash.prototype.update = function (data, ...rest) { kill(data); return update.call(this, data, ...rest) }
  syncBuiltinESMExports()`

test('an email that ends each process that composes it bounces after three take-ups, and the others are sent', async () => {
  const { first, start, key } = await workshop.install({
    JOB_LEASE: '5s',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(killer)}`,
  })
  const scheduledAt = new Date(Date.now() + promptMs).toISOString()
  const [poison, ...others] = await Promise.all(
    [words, 'One', 'Two', 'Three'].map(async (text) => {
      const { body } = await call(first, key, 'POST', '/v1/emails', email(text.slice(0, 5), { text, scheduledAt }))
      return (body as Email).id
    }),
  )
  let deaths = 0
  const statusOf = async (server: ServerProcess, id: string) =>
    ((await call(server, key, 'GET', `/v1/emails/${id}`)).body as Email).status
  for (let server: ServerProcess | undefined = first; ; server = await start().catch(() => undefined)) {
    const outcome = server && (await until('the end of the process or of the email', () => endOf(server!)))
    if (server && outcome === 'bounced') {
      for (const id of others) await until('the other emails', async () => (await statusOf(server!, id)) === 'sent')
      await server.stop()
      break
    }
    assert.ok(++deaths <= 4, 'it is composed once, and at each of three take-ups')
  }
  assert.equal(deaths, 4)
  for (const id of others) assert.ok(workshop.received(id) >= 1, `${id} was lost`)
  assert.equal(workshop.received(poison!), 0)

  async function endOf(server: ServerProcess): Promise<'died' | 'bounced' | false> {
    if (server.child.signalCode !== null) return 'died'
    const status = await statusOf(server, poison!).catch(() => null)
    return status === 'bounced' && 'bounced'
  }
})
