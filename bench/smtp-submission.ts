import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { composeMessage } from '../src/emails/mime/compose.ts'
import { createPool, type Pool } from '../src/emails/smtp-client/pool.ts'
import { closedLoop, type Load, middle } from './closed-loop.ts'
import { latency, perSecond } from './format.ts'
import { html, recipient, subject, text } from './message.ts'
import { cpuSeconds, inMiB, memoryMiB } from './processes.ts'
import { freePort, liftLimits, type Posthorn, startPosthorn } from './start-posthorn.ts'
import { type Sink, startSink } from './start-sink.ts'
import { inTurns, median } from './statistics.ts'
import { inTemporaryFolder } from './temporary-folder.ts'
import type { Options, Result, Workload } from './workload.ts'

const connections = 32

/** A message over SMTPS: checked, stored, signed, sent to a sink and recorded, against a server that discards it. */
export const smtpSubmission: Workload = {
  name: 'smtp-submission',
  run: (options) =>
    inTemporaryFolder(async (folder) => {
      const sink = await startSink()
      const port = await freePort()
      const relay = { EMAIL_PROVIDER: 'smtp', SMTP_RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none` }
      const posthorn = await startPosthorn(join(folder, 'ours'), { ...relay, SMTPS_PORT: String(port) })
      const bare = fork(new URL('./bare-submission.ts', import.meta.url), { execArgv: [] })
      const [{ port: barePort }] = (await once(bare, 'message')) as [{ port: number }]
      const pools = [port, barePort].map((port) => poolTo(port, posthorn.key!))
      try {
        await liftLimits(posthorn)
        return await measure(options, posthorn, sink, pools[0]!, pools[1]!)
      } finally {
        for (const pool of pools) await pool.close()
        await posthorn.stop()
        bare.disconnect()
        sink.stop()
      }
    }),
}

function poolTo(port: number, key: string): Pool {
  const auth = { user: key, password: key }
  const bounds = { connectionsMax: connections, messagesPerConnectionMax: Number.POSITIVE_INFINITY, idleMs: 60_000 }
  return createPool({
    host: '127.0.0.1',
    port,
    tls: 'implicit',
    verify: false,
    localName: 'bench.test',
    auth,
    ...bounds,
  })
}

const from = { name: 'Shop', address: 'hello@sandbox.test' }

function send(pool: Pool): (turn: number) => Promise<void> {
  return async (turn) => {
    const to = recipient(turn)
    const head = { messageId: `<${turn}@bench.test>`, date: new Date(0), from, to: [{ name: null, address: to }] }
    const raw = composeMessage({ ...head, cc: [], replyTo: [], subject, text, html, attachments: [], headers: [] })
    const { data, failure } = await pool.send({ from: from.address, to: [to] }, raw)
    if (data?.code !== 250) throw new Error(`A message was refused: ${data?.text ?? failure?.message}`)
  }
}

async function measure(options: Options, posthorn: Posthorn, sink: Sink, ourPool: Pool, barePool: Pool) {
  const { rounds, seconds, say } = options
  for (const pool of [ourPool, barePool]) await closedLoop(connections, Math.min(seconds, 2), send(pool))
  const ours = async () => {
    const before = (await cpuSeconds(posthorn.pid)).own
    const sunk = await sink.taken()
    const load = await closedLoop(connections, seconds, send(ourPool))
    const arrived = (await sink.taken()) - sunk
    if (arrived !== load.count) throw new Error(`${load.count} messages were answered, ${arrived} arrived.`)
    const micros = (((await cpuSeconds(posthorn.pid)).own - before) / load.count) * 1e6
    say(`ours ${perSecond(load.perSecond)}, ${latency(load)}, ${micros.toFixed(0)} µs of the server for each`)
    return load
  }
  const bare = async () => {
    const load = await closedLoop(connections, seconds, send(barePool))
    say(`smtp-server ${perSecond(load.perSecond)}, ${latency(load)}`)
    return load
  }
  const figures = await inTurns<string, Load>(rounds, { ours, bare })
  return results(figures, inMiB(await memoryMiB(posthorn.pid)))
}

function results({ ours, bare }: Record<string, Load[]>, memory: string): Result[] {
  const load = middle(ours!)
  return [
    {
      ...{ row: '14', what: `SMTP submission, send and store, ${connections} connections, signed` },
      ...{ ours: perSecond(load.perSecond), latency: latency(load), memory },
      reference: `${perSecond(middle(bare!).perSecond)} smtp-server that forgets them`,
      ratio: median(ours!.map((each, round) => each.perSecond / bare![round]!.perSecond)),
      ...{ target: 'as near as it gets', met: null },
    },
  ]
}
