import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { Pool } from 'undici'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/start.ts'
import { closedLoop } from './closed-loop.ts'
import { countPending, fillDeliveries, payload } from './fill-deliveries.ts'
import { findSandbox } from './fill-emails.ts'
import { perSecond } from './format.ts'
import { cpuSeconds, inMiB, memoryMiB } from './processes.ts'
import { quiet } from './start-postgres.ts'
import { liftLimits, type Posthorn, startPosthorn } from './start-posthorn.ts'
import { type Sink, startSink } from './start-sink.ts'
import { inTurns, median } from './statistics.ts'
import { inTemporaryFolder } from './temporary-folder.ts'
import type { Options, Result, Workload } from './workload.ts'

const inFlight = 50
const healthyEndpoints = 9
const certificate = fileURLToPath(new URL('../src/platform/egress/fixtures/localhost.cert.pem', import.meta.url))
const pollMs = 5

/** Row 5: sends pending deliveries to an endpoint that answers 200, and to nine beside one that never answers. */
export const webhooks: Workload = {
  name: 'webhooks',
  run: (options) =>
    inTemporaryFolder(async (folder) => {
      const sink = await startSink('webhook-sink.ts')
      const dataDir = join(folder, 'ours')
      const environment = { OUTBOUND_ALLOW: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: certificate }
      const posthorn = await startPosthorn(dataDir, environment)
      // Adopts the running server.
      const embedded = await startEmbeddedPostgres({ dataDir, log: quiet })
      const database = new pg.Pool({ ...embedded.connection(), max: 2 })
      const http = new Pool(posthorn.url)
      try {
        await liftLimits(posthorn)
        return await measure(options, { posthorn, database, sink, http })
      } finally {
        await http.close()
        await database.end()
        await embedded.stop()
        await posthorn.stop()
        sink.stop()
      }
    }),
}

type Parts = { posthorn: Posthorn; database: pg.Pool; sink: Sink; http: Pool }

async function measure(options: Options, parts: Parts): Promise<Result[]> {
  const { rounds, seconds, quick, say } = options
  const { posthorn, sink } = parts
  const count = quick ? 9000 : 45_000
  const one = [await makeWebhook(parts, '/hook')]
  const many = await Promise.all(Array.from({ length: healthyEndpoints }, (_, n) => makeWebhook(parts, `/hook/${n}`)))
  const bare = bareLoop(sink)
  await workOff(parts, one, count / 5)
  await closedLoop(inFlight, 1, bare.post)
  const spent = { server: 0, database: 0, sink: 0 }
  const ours = async () => {
    const { rate, before, after } = await workOff(parts, one, count)
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
    const { rate } = await workOff(parts, many, count / healthyEndpoints)
    say(`${healthyEndpoints} endpoints ${perSecond(rate)}`)
    return rate
  }
  const besideDead = async () => {
    const dead = await makeWebhook(parts, '/dead')
    const { teamId } = await findSandbox(parts.database)
    await fillDeliveries(parts.database, teamId, [dead], count / healthyEndpoints)
    const { rate } = await workOff(parts, many, count / healthyEndpoints)
    await call(parts, 'DELETE', `/v1/webhooks/${dead}`)
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

/** Returns deliveries a second, from the first that arrives until the last is recorded. */
async function workOff(parts: Parts, webhookIds: string[], each: number) {
  const { database, sink } = parts
  const { teamId } = await findSandbox(database)
  const taken = await sink.taken()
  const all = taken + webhookIds.length * each
  await fillDeliveries(database, teamId, webhookIds, each)
  while ((await sink.taken()) === taken) await sleep(pollMs)
  const [started, begun, before] = [performance.now(), await sink.taken(), await processorTimes(parts)]
  while ((await sink.taken()) < all) await sleep(pollMs)
  while ((await countPending(database, webhookIds)) > 0) await sleep(pollMs)
  const rate = ((all - begun) / (performance.now() - started)) * 1000
  const after = await processorTimes(parts)
  const arrived = await sink.taken()
  if (arrived !== all) throw new Error(`${all - taken} deliveries were due, ${arrived - taken} arrived.`)
  return { rate, before, after }
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

async function makeWebhook(parts: Parts, path: string): Promise<string> {
  const endpointUrl = `https://127.0.0.1:${parts.sink.port}${path}`
  const { id } = await call(parts, 'POST', '/v1/webhooks', { endpointUrl, events: ['email.sent'] })
  return id
}

async function call({ http, posthorn }: Parts, method: 'POST' | 'DELETE', path: string, content?: object) {
  const headers = { authorization: `Bearer ${posthorn.key}`, 'content-type': 'application/json' }
  const text = content ? JSON.stringify(content) : null
  const { statusCode, body } = await http.request({ method, path, headers, body: text })
  const answer = (await body.json()) as { id: string }
  if (statusCode !== 200) throw new Error(`${method} ${path} was answered with ${statusCode}.`)
  return answer
}

async function processorTimes({ posthorn, sink }: Parts) {
  const { own: server, below: database } = await cpuSeconds(posthorn.pid)
  return { server, database, sink: (await cpuSeconds(sink.pid)).own }
}

function results(figures: Record<string, number[]>, memory: string): Result[] {
  const { ours, reference, healthy, besideDead } = figures as Record<string, number[]>
  const ratioOf = (mine: number[], others: number[]) => median(mine.map((rate, round) => rate / others[round]!))
  const [ratio, ratioBesideDead] = [ratioOf(ours!, reference!), ratioOf(besideDead!, healthy!)]
  return [
    {
      ...{ row: '5a', what: `webhooks, pending and due, ${inFlight} in flight, endpoint answers 200` },
      ...{ ours: perSecond(median(ours!)), reference: `${perSecond(median(reference!))} undici pool, no database` },
      ...{ ratio, target: '>= 0.6x', met: ratio >= 0.6, memory },
    },
    {
      ...{ row: '5b', what: `${healthyEndpoints} endpoints beside one that never answers` },
      ...{ ours: perSecond(median(besideDead!)), reference: `${perSecond(median(healthy!))} ours, without it` },
      ...{ ratio: ratioBesideDead, target: '>= 0.9x', met: ratioBesideDead >= 0.9, memory },
    },
  ]
}
