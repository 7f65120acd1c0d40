import { median, percentile } from './statistics.ts'

export type Load = { count: number; perSecond: number; p50Ms: number; p99Ms: number }

/** Runs `clients` callers for `seconds`; each repeats its request as soon as it is answered. */
export async function closedLoop(
  clients: number,
  seconds: number,
  work: (turn: number) => Promise<void>,
): Promise<Load> {
  const latenciesMs: number[] = []
  const started = performance.now()
  const deadline = started + seconds * 1000
  let turns = 0
  async function client(): Promise<void> {
    for (let now = performance.now(); now < deadline; ) {
      await work(turns++)
      const end = performance.now()
      latenciesMs.push(end - now)
      now = end
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return loadOf(latenciesMs, started)
}

/** Returns the figures of a load that began at `startedMs` and has just ended. */
export function loadOf(latenciesMs: number[], startedMs: number): Load {
  const elapsedMs = performance.now() - startedMs
  const sorted = Float64Array.from(latenciesMs).sort()
  const [p50Ms, p99Ms] = [percentile(sorted, 0.5), percentile(sorted, 0.99)]
  return { count: sorted.length, perSecond: (sorted.length / elapsedMs) * 1000, p50Ms, p99Ms }
}

/** Returns the medians of several rounds. */
export function middle(loads: Load[]): Load {
  const of = (key: keyof Load) => median(loads.map((load) => load[key]))
  return { count: of('count'), perSecond: of('perSecond'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms') }
}
