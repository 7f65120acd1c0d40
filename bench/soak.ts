import { closedLoop, type Load } from './closed-loop.ts'
import { latency, perSecond } from './format.ts'
import { openLoop } from './open-loop.ts'
import { postEmail } from './post-email.ts'
import { inMiB, memoryMiB } from './processes.ts'
import { relayTo, startSink } from './start-sink.ts'
import { median } from './statistics.ts'
import { type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

const clients = 32
/** More than wait at once, so that no request waits for a connection. */
const connections = 200
const partsOfHour = 12
const partSeconds = 300
const [memoryGrowthMax, p99GrowthMax] = [1.1, 1.5]

type Part = Load & { memory: number }

/** Row 29: an hour of `POST /v1/emails` at half the rate that the server takes, its end against its beginning. */
export const soak: Workload = {
  name: 'soak',
  async run(options) {
    const sink = await startSink()
    try {
      return await withPosthorn(relayTo(sink), connections, (parts) => measure(options, parts))
    } finally {
      sink.stop()
    }
  },
}

async function measure({ quick, seconds: most, say }: Options, { http, posthorn }: Parts): Promise<Result[]> {
  const post = (turn: number) => postEmail(http, posthorn.key!, turn)
  await closedLoop(clients, most, post)
  const half = Math.round((await closedLoop(clients, most, post)).perSecond / 2)
  const seconds = quick ? 5 : partSeconds
  const parts: Part[] = []
  // The first part fills caches, and is left out.
  for (let part = 0; part <= partsOfHour; part++) {
    const load = await openLoop(half, seconds, post)
    const memory = (await memoryMiB(posthorn.pid)) ?? Number.NaN
    say(`part ${part} of ${partsOfHour}, ${half} a second: ${latency(load)}, ${inMiB(memory)}`)
    if (part > 0) parts.push({ ...load, memory })
  }
  return results(parts, half)
}

/** Compares the first quarter of the parts with the last. */
function results(parts: Part[], half: number): Result[] {
  const quarter = parts.length / 4
  const [first, last] = [parts.slice(0, quarter), parts.slice(-quarter)].map((some) => {
    const of = (key: keyof Part) => median(some.map((part) => part[key]))
    return { perSecond: of('perSecond'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms'), memory: of('memory') }
  }) as [Part, Part]
  const [memory, p99] = [last.memory / first.memory, last.p99Ms / first.p99Ms]
  const what = `POST /v1/emails at ${half} a second, half of what is taken, the last quarter of an hour`
  return [
    {
      ...{ row: '29a', what: `${what}: memory`, ours: inMiB(last.memory) },
      ...{ reference: `${inMiB(first.memory)} in the first`, ratio: memory },
      ...{ target: `<= ${memoryGrowthMax}x`, met: memory <= memoryGrowthMax },
    },
    {
      ...{ row: '29b', what: `${what}: p99`, ours: perSecond(last.perSecond), latency: latency(last) },
      ...{ reference: `${latency(first)} in the first`, ratio: p99 },
      ...{ target: `<= ${p99GrowthMax}x`, met: p99 <= p99GrowthMax },
    },
  ]
}
