import type { Pool } from '../src/emails/smtp-client/pool.ts'
import { closedLoop, type Load, middle } from './closed-loop.ts'
import { measureCost } from './email-cost.ts'
import { kilobytes, latency, perSecond } from './format.ts'
import { postEmail } from './post-email.ts'
import { inMiB, memoryMiB } from './processes.ts'
import { freePort } from './start-posthorn.ts'
import { relayTo, type Sink, startSink } from './start-sink.ts'
import { inTurns, median } from './statistics.ts'
import { submissionPool, submitEmail } from './submit-email.ts'
import { type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

const connections = 32

/** Row 14: a message over SMTPS is checked, stored, signed, sent to a sink and recorded, as is one by HTTP. */
export const smtpSubmission: Workload = {
  name: 'smtp-submission',
  async run(options) {
    const sink = await startSink()
    const port = await freePort()
    try {
      return await withPosthorn({ ...relayTo(sink), SMTPS_PORT: String(port) }, connections, async (parts) => {
        const pool = submissionPool(port, parts.posthorn.key!, connections)
        return measure(options, parts, sink, pool).finally(() => pool.close())
      })
    } finally {
      sink.stop()
    }
  },
}

async function measure(options: Options, parts: Parts, sink: Sink, pool: Pool): Promise<Result[]> {
  const { pid, key } = parts.posthorn
  const side = (name: string, send: (turn: number) => Promise<void>) => async () => {
    const sunk = await sink.taken()
    const { made: load, cost } = await measureCost(parts, sink, () => closedLoop(connections, options.seconds, send))
    const arrived = (await sink.taken()) - sunk
    if (arrived !== load.count) throw new Error(`${load.count} messages were answered, ${arrived} arrived.`)
    const costs = `server ${cost.server.toFixed(0)} µs, database ${cost.database.toFixed(0)} µs, WAL ${kilobytes(cost.walBytes)}`
    options.say(`${name} ${perSecond(load.perSecond)}, ${latency(load)}; for each: ${costs}`)
    return load
  }
  const submit = (turn: number) => submitEmail(pool, turn)
  const post = (turn: number) => postEmail(parts.http, key!, turn)
  for (const send of [submit, post]) await closedLoop(connections, Math.min(options.seconds, 2), send)
  const figures = await inTurns(options.rounds, { smtp: side('SMTP', submit), http: side('HTTP', post) })
  return results(figures, inMiB(await memoryMiB(pid)))
}

function results({ smtp, http }: Record<'smtp' | 'http', Load[]>, memory: string): Result[] {
  const load = middle(smtp)
  const ratio = median(smtp.map((each, round) => each.perSecond / http[round]!.perSecond))
  return [
    {
      ...{ row: '14', what: `SMTP submission, send and store, ${connections} connections, signed` },
      ...{ ours: perSecond(load.perSecond), latency: latency(load), memory },
      ...{
        reference: `${perSecond(middle(http).perSecond)} POST /v1/emails`,
        ratio,
        target: '>= 1.0x',
        met: ratio >= 1,
      },
    },
  ]
}
