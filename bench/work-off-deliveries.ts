import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { countPending, fillDeliveries } from './fill-deliveries.ts'
import { cpuSeconds } from './processes.ts'
import type { Sink } from './start-sink.ts'
import { callApi, type Parts } from './with-posthorn.ts'

export const certificate = fileURLToPath(new URL('../src/platform/egress/fixtures/localhost.cert.pem', import.meta.url))
/** The settings with which Posthorn may send to `webhook-sink.ts`. */
export const webhookSettings = { OUTBOUND_ALLOW: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: certificate }

const pollMs = 5

export async function makeWebhook(parts: Parts, sink: Sink, path: string): Promise<string> {
  const content = { endpointUrl: `https://127.0.0.1:${sink.port}${path}`, events: ['email.sent'] }
  return (await callApi<{ id: string }>(parts, 'POST', '/v1/webhooks', content)).id
}

/**
 * Fills `each` deliveries of each webhook. Returns deliveries a second, from the first that arrives until the last is
 * recorded.
 */
export async function workOffDeliveries(parts: Parts, sink: Sink, webhookIds: string[], each: number) {
  const { database, teamId } = parts
  const taken = await sink.taken()
  const all = taken + webhookIds.length * each
  await fillDeliveries(database, teamId, webhookIds, each)
  while ((await sink.taken()) === taken) await sleep(pollMs)
  const [started, begun, before] = [performance.now(), await sink.taken(), await processorTimes(parts, sink)]
  while ((await sink.taken()) < all) await sleep(pollMs)
  while ((await countPending(database, webhookIds)) > 0) await sleep(pollMs)
  const rate = ((all - begun) / (performance.now() - started)) * 1000
  const after = await processorTimes(parts, sink)
  const arrived = await sink.taken()
  if (arrived !== all) throw new Error(`${all - taken} deliveries were due, ${arrived - taken} arrived.`)
  return { rate, before, after }
}

async function processorTimes({ posthorn }: Parts, sink: Sink) {
  const { own: server, below: database } = await cpuSeconds(posthorn.pid)
  return { server, database, sink: (await cpuSeconds(sink.pid)).own }
}
