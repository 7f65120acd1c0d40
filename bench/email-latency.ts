import type { Pool } from 'undici'
import { type Load, middle } from './closed-loop.ts'
import { latency, milliseconds, perSecond } from './format.ts'
import { openLoop } from './open-loop.ts'
import { postEmail } from './post-email.ts'
import { relayTo, startSink } from './start-sink.ts'
import { inTurns, median } from './statistics.ts'
import { type BareServer, withBareServer } from './with-bare-server.ts'
import { type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

type Rate = { row: string; perSecond: number; p50MaxMs: number; p99MaxMs: number }
const rates: Rate[] = [
  { row: '1f', perSecond: 300, p50MaxMs: 12, p99MaxMs: 50 },
  { row: '1g', perSecond: 50, p50MaxMs: Number.POSITIVE_INFINITY, p99MaxMs: 25 },
]
/** More than wait at once, so that no request waits for a connection. */
const connections = 200
/** A p99 of few requests is a coincidence. */
const secondsOfRound = 4

/** Rows 1f and 1g: the latency of `POST /v1/emails` when requests arrive at a constant rate, answered or not. */
export const emailLatency: Workload = {
  name: 'email-latency',
  async run(options) {
    const sink = await startSink()
    try {
      return await withPosthorn(relayTo(sink), connections, (parts) =>
        withBareServer(parts, connections, (bare) => measure(options, parts, bare)),
      )
    } finally {
      sink.stop()
    }
  },
}

async function measure(options: Options, { http, posthorn }: Parts, bare: BareServer): Promise<Result[]> {
  const seconds = options.quick ? 1 : options.seconds * secondsOfRound
  const results: Result[] = []
  for (const rate of rates) {
    const side = (name: string, http: Pool, key: string) => async (): Promise<Load> => {
      const load = await openLoop(rate.perSecond, seconds, (turn) => postEmail(http, key, turn))
      options.say(`${name}, ${rate.perSecond} requests a second: ${latency(load)}`)
      return load
    }
    const sides = { ours: side('ours', http, posthorn.key!), bare: side('bare server', bare.http, bare.key) }
    for (const run of Object.values(sides)) await run()
    const { ours, bare: theirs } = await inTurns(options.rounds, sides)
    results.push(resultOf(rate, ours, theirs))
  }
  return results
}

function resultOf({ row, perSecond: rate, p50MaxMs, p99MaxMs }: Rate, ours: Load[], bare: Load[]): Result {
  const { p50Ms, p99Ms, perSecond: answered } = middle(ours)
  const bounds = [...(p50MaxMs < p99MaxMs ? [`p50 <= ${p50MaxMs} ms`] : []), `p99 <= ${p99MaxMs} ms`]
  return {
    ...{ row, what: `POST /v1/emails, open loop of ${rate} a second`, ours: perSecond(answered) },
    reference: `p99 ${milliseconds(middle(bare).p99Ms)}, p50 ${milliseconds(middle(bare).p50Ms)} fastify + insert`,
    ratio: median(ours.map((load, round) => load.p99Ms / bare[round]!.p99Ms)),
    ...{ target: bounds.join(', '), met: p50Ms <= p50MaxMs && p99Ms <= p99MaxMs, latency: latency({ p50Ms, p99Ms }) },
  }
}
