import { join } from 'node:path'
import { bareSend } from './bare-send.ts'
import { closedLoop, type Load, middle } from './closed-loop.ts'
import { type Cost, costResults, measureCost } from './email-cost.ts'
import { latency, perSecond } from './format.ts'
import { postEmail } from './post-email.ts'
import { inMiB, memoryMiB } from './processes.ts'
import { type ReferenceServer, startPostgres } from './start-postgres.ts'
import { relayTo, type Sink, startSink } from './start-sink.ts'
import { inTurns, median } from './statistics.ts'
import { type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

const clients = 32
const ratioMin = 1.5

/** Rows 1 to 1e: `POST /v1/emails`, signed, sent to a sink and stored. */
export const sendEmail: Workload = {
  name: 'send-email',
  async run(options) {
    const sink = await startSink()
    try {
      return await withPosthorn(relayTo(sink), clients, async (parts) => {
        const server = await startPostgres(join(parts.folder, 'reference'), clients)
        return measure(options, parts, server, sink).finally(() => server.stop())
      })
    } finally {
      sink.stop()
    }
  },
}

async function measure(options: Options, parts: Parts, server: ReferenceServer, sink: Sink): Promise<Result[]> {
  const { rounds, seconds, say } = options
  const plain = await bareSend(server, sink.port, { signs: false })
  const signed = await bareSend(server, sink.port, { signs: true })
  const post = (turn: number) => postEmail(parts.http, parts.posthorn.key!, turn)
  for (const work of [post, plain.send, signed.send]) await closedLoop(clients, Math.min(seconds, 2), work)
  const costs: Cost[] = []
  const ours = async () => {
    const sunk = await sink.taken()
    const { made: load, cost } = await measureCost(parts, sink, () => closedLoop(clients, seconds, post))
    const arrived = (await sink.taken()) - sunk
    if (arrived !== load.count) throw new Error(`${load.count} emails were answered, ${arrived} arrived.`)
    costs.push(cost)
    say(`ours ${perSecond(load.perSecond)}, ${latency(load)}`)
    return load
  }
  const reference = (name: string, work: (turn: number) => Promise<void>) => async () => {
    const load = await closedLoop(clients, seconds, work)
    say(`${name} ${perSecond(load.perSecond)}, ${latency(load)}`)
    return load
  }
  const figures = await inTurns<string, Load>(rounds, {
    ours,
    signed: reference('nodemailer, signing', signed.send),
    plain: reference('nodemailer', plain.send),
  })
  const memory = inMiB(await memoryMiB(parts.posthorn.pid))
  const processes = (['server', 'database', 'sink', 'client'] as const).map(
    (part) => `${part} ${median(costs.map((cost) => cost[part])).toFixed(0)}`,
  )
  say(`processor time of an email of ours, in microseconds: ${processes.join(', ')}`)
  plain.close()
  signed.close()
  return [...results(figures, memory), ...(await costResults(costs, parts.database))]
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
      ...{ reference: `${against('signed')} nodemailer signing + insert`, ratio: ratio('signed') },
      ...{ target: `>= ${ratioMin}x`, met: ratio('signed') >= ratioMin },
    },
    {
      ...{ row: '1b', what: 'the same', ...common },
      ...{ reference: `${against('plain')} nodemailer + insert, unsigned`, ratio: ratio('plain') },
      ...{ target: 'signed against unsigned', met: null },
    },
  ]
}
