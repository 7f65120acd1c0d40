import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeWorkflow, startExecution } from './make-workflow.ts'
import { percentile } from './statistics.ts'
import type { Parts } from './with-posthorn.ts'

const everyMs = 100

/**
 * Measures the time from the request that starts an execution to the request of its first node, one after the other.
 */
export async function timeToFirstNode(parts: Parts, count: number): Promise<{ p50Ms: number; p99Ms: number }> {
  const arrivals = new Map<string, () => void>()
  const server = createServer((request, response) => {
    arrivals.get(request.url!)?.()
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/{{trigger.run}}`
  const workflow = await makeWorkflow(parts, [{ id: 'request', type: 'http_request', config: { method: 'GET', url } }])
  const times: number[] = []
  for (let run = 0; run < count; run++) {
    const started = performance.now()
    const arrived = new Promise<number>((resolve) => {
      arrivals.set(`/${run}`, () => resolve(performance.now() - started))
    })
    await startExecution(parts, workflow, { run })
    times.push(await arrived)
    await sleep(everyMs)
  }
  server.closeAllConnections()
  server.close()
  const sorted = times.sort((a, b) => a - b)
  return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) }
}
