import { join } from 'node:path'
import { Pool } from 'undici'
import { bareSend, signaturesPerSecond } from './bare-send.ts'
import { closedLoop, type Load, middle } from './closed-loop.ts'
import { latency, perSecond } from './format.ts'
import { html, recipient, subject, text } from './message.ts'
import { cpuSeconds, inMiB, memoryMiB } from './processes.ts'
import { startPostgres } from './start-postgres.ts'
import { liftLimits, type Posthorn, startPosthorn } from './start-posthorn.ts'
import { type Sink, startSink } from './start-sink.ts'
import { inTurns, median } from './statistics.ts'
import { inTemporaryFolder } from './temporary-folder.ts'
import type { Options, Result, Workload } from './workload.ts'

const clients = 32
const p99MaxMs = 25

/** Rows 1 and 2: `POST /v1/emails`, signed, sent to a sink and stored. */
export const sendEmail: Workload = {
  name: 'send-email',
  run: (options) =>
    inTemporaryFolder(async (folder) => {
      const sink = await startSink()
      const environment = { EMAIL_PROVIDER: 'smtp', SMTP_RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none` }
      const posthorn = await startPosthorn(join(folder, 'ours'), environment)
      const server = await startPostgres(join(folder, 'reference'), clients)
      try {
        await liftLimits(posthorn)
        return await measure(options, posthorn, server, sink)
      } finally {
        await posthorn.stop()
        await server.stop()
        sink.stop()
      }
    }),
}

type Server = Awaited<ReturnType<typeof startPostgres>>

async function measure(options: Options, posthorn: Posthorn, server: Server, sink: Sink): Promise<Result[]> {
  const { rounds, seconds, say } = options
  const pool = new Pool(posthorn.url, { connections: clients, pipelining: 1 })
  const plain = await bareSend(server, sink.port, { signs: false })
  const signed = await bareSend(server, sink.port, { signs: true })
  const post = (turn: number) => postEmail(pool, posthorn.key!, turn)
  const warmUpSeconds = Math.min(seconds, 2)
  for (const work of [post, plain.send, signed.send]) await closedLoop(clients, warmUpSeconds, work)
  const spent = { server: 0, database: 0, sink: 0, client: 0 }
  const ours = async () => {
    const before = await processorTimes(posthorn, sink)
    const sunk = await sink.taken()
    const load = await closedLoop(clients, seconds, post)
    const after = await processorTimes(posthorn, sink)
    const arrived = (await sink.taken()) - sunk
    if (arrived !== load.count) throw new Error(`${load.count} emails were answered, ${arrived} arrived.`)
    for (const part of Object.keys(spent) as (keyof typeof spent)[]) {
      spent[part] += ((after[part] - before[part]) / load.count) * 1e6
    }
    say(`ours ${perSecond(load.perSecond)}, ${latency(load)}`)
    return load
  }
  const reference = (name: string, work: (turn: number) => Promise<void>) => async () => {
    const load = await closedLoop(clients, seconds, work)
    say(`${name} ${perSecond(load.perSecond)}, ${latency(load)}`)
    return load
  }
  const signing = async () => {
    const load = { count: 0, perSecond: signaturesPerSecond(Math.min(seconds, 2)), p50Ms: 0, p99Ms: 0 }
    say(`crypto.sign ${perSecond(load.perSecond)}`)
    return load
  }
  const figures = await inTurns<string, Load>(rounds, {
    ours,
    plain: reference('nodemailer', plain.send),
    signed: reference('nodemailer, signing', signed.send),
    signing,
  })
  const memory = inMiB(await memoryMiB(posthorn.pid))
  const parts = Object.entries(spent).map(([part, micros]) => `${part} ${(micros / rounds).toFixed(0)}`)
  say(`processor time of an email of ours, in microseconds: ${parts.join(', ')}`)
  plain.close()
  signed.close()
  await pool.close()
  return results(figures, memory)
}

async function postEmail(pool: Pool, key: string, turn: number): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/v1/emails',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: 'Shop <hello@sandbox.test>', to: [recipient(turn)], subject, text, html }),
  })
  const answer = await body.text()
  if (statusCode !== 200) throw new Error(`An email was refused with ${statusCode}: ${answer.slice(0, 200)}`)
}

async function processorTimes(posthorn: Posthorn, sink: Sink) {
  const { own: server, below: database } = await cpuSeconds(posthorn.pid)
  const { user, system } = process.cpuUsage()
  return { server, database, sink: (await cpuSeconds(sink.pid)).own, client: (user + system) / 1e6 }
}

function results(figures: Record<string, Load[]>, memory: string): Result[] {
  const ours = middle(figures.ours!)
  const ratio = (name: string) =>
    median(figures[name]!.map((load, round) => figures.ours![round]!.perSecond / load.perSecond))
  const against = (name: string) => perSecond(middle(figures[name]!).perSecond)
  const common = { ours: perSecond(ours.perSecond), latency: latency(ours), memory }
  return [
    {
      ...{ row: '1', what: `POST /v1/emails, send and store, ${clients} clients, signed`, ...common },
      ...{ reference: `${against('plain')} nodemailer + insert, unsigned`, ratio: ratio('plain') },
      ...{ target: `>= 3x, p99 < ${p99MaxMs} ms`, met: ratio('plain') >= 3 && ours.p99Ms < p99MaxMs },
    },
    {
      ...{ row: '1b', what: 'the same', ...common },
      ...{ reference: `${against('signed')} nodemailer signing + insert`, ratio: ratio('signed') },
      ...{ target: 'like with like', met: null },
    },
    {
      ...{ row: '2', what: 'the same, against its RSA-2048 signature', ...common },
      ...{ reference: `${against('signing')} crypto.sign on one core`, ratio: ratio('signing') },
      ...{ target: '>= 0.8x', met: ratio('signing') >= 0.8 },
    },
  ]
}
