import assert from 'node:assert/strict'
import { createTestApp } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { createEgress } from '../../platform/egress/egress.ts'
import { NameError } from '../../platform/names/ask-dns.ts'
import { createNames } from '../../platform/names/names.ts'
import { call, makeFlow } from '../executions/fixtures/flow.ts'
import { startPeer } from '../fixtures/peer.ts'

const over = Promise.withResolvers<never>()
over.promise.catch(() => undefined)
const asked: string[] = []
/** The name servers do not answer until the test is over, except for one name. */
const names = createNames({
  servers: [],
  async ask(host) {
    asked.push(host)
    if (host !== 'healthy.test') return over.promise
    return { addresses: [{ address: '127.0.0.1', family: 4 }], ttlSeconds: 60 }
  },
})
const OUTBOUND_ALLOW = '127.0.0.0/8'
const egress = createEgress({ allow: [OUTBOUND_ALLOW], resolve: names.resolve })
const posthorn = await createTestApp({ OUTBOUND_ALLOW }, { egress })

slowTest('forty requests of one team to names that are not answered delay no request of another team', async () => {
  const [hostile, honest] = [await posthorn.team(), await posthorn.team()]
  const peer = await startPeer()
  const dead = Array.from({ length: 40 }, (_, n) => call(`n${n}`, `http://dead${n}.test`))
  const stuck = await makeFlow(
    hostile,
    dead,
    dead.map(({ id }) => `start>${id}`),
  )
  for (let n = 0; n < 3; n++) await stuck.start()
  const sound = await makeFlow(honest, [call('a', peer.url.replace('127.0.0.1', 'healthy.test'))], ['start>a'])
  const working = posthorn.runDueJobs()
  while (asked.length < 8) await new Promise((resolve) => setImmediate(resolve))
  const id = await sound.start()
  const other = posthorn.runDueJobs()
  while ((await sound.get(id)).status === 'running') await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([(await sound.get(id)).status, peer.asked.length], ['completed', 1])
  assert.equal(asked.filter((host) => host.startsWith('dead')).length, 8)
  over.reject(new NameError('dead.test', 'EAI_AGAIN'))
  await Promise.all([working, other])
})
