import { readFileSync } from 'node:fs'
import { Pool } from 'undici'
import { closedLoop } from './closed-loop.ts'
import { fillDeliveries, payload } from './fill-deliveries.ts'
import { perSecond } from './format.ts'
import { inMiB, memoryMiB } from './processes.ts'
import { type Sink, startSink } from './start-sink.ts'
import { inTurns, median } from './statistics.ts'
import { callApi, type Parts, withPosthorn } from './with-posthorn.ts'
import { certificate, makeWebhook, webhookSettings, workOffDeliveries } from './work-off-deliveries.ts'
import type { Options, Result, Workload } from './workload.ts'

const inFlight = 50
const healthyEndpoints = 9

/** Row 5: sends pending deliveries to an endpoint that answers 200, and to nine beside one that never answers. */
export const webhooks: Workload = {
  name: 'webhooks',
  async run(options) {
    const sink = await startSink('webhook-sink.ts')
    try {
      return await withPosthorn(webhookSettings, 2, (parts) => measure(options, parts, sink))
    } finally {
      sink.stop()
    }
  },
}

async function measure(options: Options, parts: Parts, sink: Sink): Promise<Result[]> {
  const { rounds, seconds, quick, say } = options
  const { posthorn, teamId } = parts
  const count = quick ? 9000 : 45_000
  const paths = Array.from({ length: healthyEndpoints }, (_, n) => `/hook/${n}`)
  const one = [await makeWebhook(parts, sink, '/hook')]
  const many = await Promise.all(paths.map((path) => makeWebhook(parts, sink, path)))
  const bare = bareLoop(sink)
  await workOffDeliveries(parts, sink, one, count / 5)
  await closedLoop(inFlight, 1, bare.post)
  const spent = { server: 0, database: 0, sink: 0 }
  const ours = async () => {
    const { rate, before, after } = await workOffDeliveries(parts, sink, one, count)
    for (const part of Object.keys(spent) as (keyof typeof spent)[])
      spent[part] += ((after[part] - before[part]) / count) * 1e6
    say(`ours ${perSecond(rate)}`)
    return rate
  }
  const reference = async () => {
    const before = process.cpuUsage()
    const { perSecond: rate, count } = await closedLoop(inFlight, seconds, bare.post)
    const { user, system } = process.cpuUsage(before)
    say(`undici ${perSecond(rate)}, ${((user + system) / count).toFixed(0)} microseconds of processor time each`)
    return rate
  }
  const healthy = async () => {
    const { rate } = await workOffDeliveries(parts, sink, many, count / healthyEndpoints)
    say(`${healthyEndpoints} endpoints ${perSecond(rate)}`)
    return rate
  }
  const besideDead = async () => {
    const dead = await makeWebhook(parts, sink, '/dead')
    await fillDeliveries(parts.database, teamId, [dead], count / healthyEndpoints)
    const { rate } = await workOffDeliveries(parts, sink, many, count / healthyEndpoints)
    await callApi(parts, 'DELETE', `/v1/webhooks/${dead}`)
    say(`the same beside a dead one ${perSecond(rate)}`)
    return rate
  }
  const figures = await inTurns<string, number>(rounds, { ours, reference, healthy, besideDead })
  const memory = inMiB(await memoryMiB(posthorn.pid))
  await bare.close()
  const micros = Object.entries(spent).map(([part, each]) => `${part} ${(each / rounds).toFixed(0)}`)
  say(`processor time of a delivery of ours, in microseconds: ${micros.join(', ')}`)
  return results(figures, memory)
}

/** Sends the same bodies to the same sink, without signature, queue or record, as the reference. */
function bareLoop(sink: Sink) {
  const connect = { ca: readFileSync(certificate, 'utf8') }
  const pool = new Pool(`https://127.0.0.1:${sink.port}`, { connections: inFlight, pipelining: 1, connect })
  return {
    async post(): Promise<void> {
      const headers = { 'content-type': 'application/json' }
      const { body } = await pool.request({ method: 'POST', path: '/hook', headers, body: payload })
      await body.dump()
    },
    close: () => pool.close(),
  }
}

function results(figures: Record<string, number[]>, memory: string): Result[] {
  const { ours, reference, healthy, besideDead } = figures as Record<string, number[]>
  const ratioOf = (mine: number[], others: number[]) => median(mine.map((rate, round) => rate / others[round]!))
  const [ratio, ratioBesideDead] = [ratioOf(ours!, reference!), ratioOf(besideDead!, healthy!)]
  return [
    {
      ...{ row: '5a', what: `webhooks, pending and due, ${inFlight} in flight, endpoint answers 200` },
      ...{ ours: perSecond(median(ours!)), reference: `${perSecond(median(reference!))} undici pool, no database` },
      ...{ ratio, target: '>= 0.5x', met: ratio >= 0.5, memory },
    },
    {
      ...{ row: '5b', what: `${healthyEndpoints} endpoints beside one that never answers` },
      ...{ ours: perSecond(median(besideDead!)), reference: `${perSecond(median(healthy!))} ours, without it` },
      ...{ ratio: ratioBesideDead, target: '>= 0.9x', met: ratioBesideDead >= 0.9, memory },
    },
  ]
}
