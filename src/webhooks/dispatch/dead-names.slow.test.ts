// needs: waiting
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pluckRows } from '../../../test/pluck.ts'
import { createNames } from '../../platform/names/names.ts'
import { createWebhookApp, makeWebhook } from '../fixtures/app.ts'
import { startReceiver } from '../fixtures/receiver.ts'

const asked: string[] = []
const silence = Promise.withResolvers<never>()
/** Name servers answer for one name only, until the silence ends. */
const names = createNames({
  servers: [],
  async ask(host) {
    asked.push(host)
    if (host !== 'hooks.example') return silence.promise
    return { addresses: [{ address: '127.0.0.1', family: 4 }], ttlSeconds: 60 }
  },
})
const posthorn = await createWebhookApp({ WEBHOOK_TIMEOUT: '10m' }, names.resolve)

test('fifty endpoints of one team at names with silent servers do not delay the first attempt of another team’s webhook', async () => {
  const [hostile, honest] = [await posthorn.team(), await posthorn.team()]
  const receiver = await startReceiver()
  const made = Array.from({ length: 50 }, (_, n) => makeWebhook(hostile.api, `https://dead${n}.example/hook`))
  await Promise.all(made)
  const url = receiver.url.replace('127.0.0.1', 'hooks.example')
  const webhook = await makeWebhook(honest.api, url)
  await posthorn.happen(hostile.id)
  const working = posthorn.runDueJobs()
  while (asked.length < 8) await new Promise((resolve) => setImmediate(resolve))
  await posthorn.happen(honest.id)
  const delivering = posthorn.runDueJobs()
  await receiver.until(1)
  assert.equal(asked.filter((host) => host.startsWith('dead')).length, 8)
  silence.reject(new Error('no such name'))
  await Promise.all([working, delivering])
  const { data } = await webhook.deliveries()
  assert.deepEqual(pluckRows(data, 'status', 'attempts'), [['delivered', 1]])
})
