import { setTimeout as sleep } from 'node:timers/promises'
import { createPool, type Pool } from '../src/emails/smtp-client/pool.ts'
import { startHaraka } from '../test/peers/haraka.ts'
import type { Peer } from '../test/peers/peer.ts'
import { startPostfix } from '../test/peers/postfix.ts'
import { closedLoop } from './closed-loop.ts'
import { perSecond } from './format.ts'
import { recipient } from './message.ts'
import { freePort } from './start-posthorn.ts'
import { relayTo, type Sink, startSink } from './start-sink.ts'
import { inTurns, median } from './statistics.ts'
import { submissionPool, submitEmail } from './submit-email.ts'
import { withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

const connections = 32

/** Row 31: the message of row 14 over SMTP until the sink has it, beside mail servers that neither sign nor keep it. */
export const mailServers: Workload = {
  name: 'mail-servers',
  async run(options) {
    const sink = await startSink()
    const port = await freePort()
    try {
      return await withPosthorn({ ...relayTo(sink), SMTPS_PORT: String(port) }, connections, ({ posthorn }) =>
        withRivals(options, sink, submissionPool(port, posthorn.key!, connections)),
      )
    } finally {
      sink.stop()
    }
  },
}

type Rival = { row: string; name: string; pool: Pool; peer: Peer }

async function withRivals(options: Options, sink: Sink, ours: Pool): Promise<Result[]> {
  const rivals: Rival[] = []
  try {
    for (const [row, name, start] of [
      ['31a', 'Postfix', startPostfix],
      ['31b', 'Haraka', startHaraka],
    ] as const) {
      const port = await freePort()
      const place = { address: '127.0.0.1', port, returns: { 'example.com': sink.port }, nextPort: sink.port }
      const peer = await start(place).catch((error: Error) => options.say(`${name} is left out: ${error.message}`))
      if (peer) rivals.push({ row, name, peer, pool: plainPool(port) })
    }
    const results: Result[] = []
    for (const rival of rivals) results.push(await compare(options, sink, ours, rival))
    return results
  } finally {
    await ours.close()
    for (const { pool } of rivals) await pool.close()
    for (const { peer } of rivals) await peer.stop()
  }
}

function plainPool(port: number): Pool {
  return createPool({
    ...{ host: '127.0.0.1', port, tls: 'none', verify: false, localName: 'bench.test' },
    ...{ connectionsMax: connections, messagesPerConnectionMax: Number.POSITIVE_INFINITY, idleMs: 60_000 },
  })
}

async function compare(options: Options, sink: Sink, ours: Pool, { row, name, pool }: Rival): Promise<Result> {
  const side = (of: string, through: Pool) => async () => {
    const rate = await relayed(through, sink, options.seconds)
    options.say(`${of} ${perSecond(rate)}`)
    return rate
  }
  for (const through of [ours, pool]) await relayed(through, sink, Math.min(options.seconds, 2))
  const { mine, theirs } = await inTurns(options.rounds, { mine: side('Posthorn', ours), theirs: side(name, pool) })
  return {
    ...{ row, what: `messages over SMTP until a sink has them, ${connections} connections` },
    ...{ ours: perSecond(median(mine)), reference: `${perSecond(median(theirs))} ${name}` },
    ...{ ratio: median(mine.map((rate, round) => rate / theirs[round]!)), target: '', met: null },
  }
}

/** Returns the messages a second from the first submission until the sink has taken the last. */
async function relayed(pool: Pool, sink: Sink, seconds: number): Promise<number> {
  const before = await sink.taken()
  const startedMs = performance.now()
  // The peers hand to the next host what is for `gone`. To Posthorn it is a recipient like any other.
  const { count } = await closedLoop(connections, seconds, (turn) => submitEmail(pool, turn, `gone.${recipient(turn)}`))
  const deadlineMs = performance.now() + 60_000
  while ((await sink.taken()) - before < count) {
    if (performance.now() > deadlineMs) throw new Error(`Of ${count} messages some did not arrive.`)
    await sleep(5)
  }
  return (count / (performance.now() - startedMs)) * 1000
}
