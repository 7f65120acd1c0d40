import type { Pool } from 'undici'
import { closedLoop, type Load, middle } from './closed-loop.ts'
import { latency, perSecond } from './format.ts'
import { inTurns, median } from './statistics.ts'
import type { Options, Result } from './workload.ts'

/** One read, as a path of the API and as the bare named select that returns the same rows. */
export type Read = { what: string; path(turn: number): string; select(turn: number): Promise<void> }

export type Figures = { ours: Load[]; bare: Load[] }

export const readClients = 8
const p99MaxMs = 20
/** The factor that a p99 may grow by, from few rows to many, and still count as flat. */
const growthMax = 1.5

/** Measures each read by the API and by the bare select, in turns. */
export async function measureReads(
  options: Options,
  reads: Read[],
  http: Pool,
  key: string,
): Promise<Map<string, Figures>> {
  const figures = new Map<string, Figures>()
  for (const read of reads) {
    const ours = (turn: number) => get(http, key, read.path(turn))
    const side = (name: string, work: (turn: number) => Promise<void>) => async () => {
      const load = await closedLoop(readClients, options.seconds, work)
      options.say(`${read.what}: ${name} ${perSecond(load.perSecond)}, ${latency(load)}`)
      return load
    }
    for (const work of [ours, read.select]) await closedLoop(readClients, Math.min(options.seconds, 1), work)
    const sides = { ours: side('ours', ours), bare: side('bare select', read.select) }
    figures.set(read.what, await inTurns(options.rounds, sides))
  }
  return figures
}

async function get(http: Pool, key: string, path: string): Promise<void> {
  const { statusCode, body } = await http.request({ method: 'GET', path, headers: { authorization: `Bearer ${key}` } })
  const answer = await body.text()
  if (statusCode !== 200) throw new Error(`${path} was refused with ${statusCode}: ${answer.slice(0, 200)}`)
}

/** Two lines for each read, at few `rows` and at many; their letters begin with `firstLetter`. */
export function readResults(
  firstLetter: string,
  rows: string,
  sizes: number[],
  measured: Map<string, Figures>[],
  memory: string,
): Result[] {
  const [few, many] = measured as [Map<string, Figures>, Map<string, Figures>]
  return [...many].flatMap(([what, figures], index) => {
    const row = `9${String.fromCharCode(firstLetter.charCodeAt(0) + index)}`
    const before = middle(few.get(what)!.ours)
    return [
      lineOf(row, `${what}, ${sizes[0]} ${rows}`, few.get(what)!, null, ''),
      lineOf(row, `${what}, ${sizes[1]} ${rows}`, figures, before, memory),
    ]
  })
}

/** `before`: our load at the smaller size, for the growth. */
function lineOf(row: string, what: string, { ours, bare }: Figures, before: Load | null, memory: string): Result {
  const [mine, theirs] = [middle(ours), middle(bare)]
  const ratio = median(ours.map((load, round) => load.perSecond / bare[round]!.perSecond))
  const growth = before && mine.p99Ms / before.p99Ms
  const fits = ratio >= 0.7 && mine.p99Ms < p99MaxMs && (growth === null || growth <= growthMax)
  return {
    ...{ row, what, ours: perSecond(mine.perSecond), reference: `${perSecond(theirs.perSecond)} bare select`, ratio },
    target: `>= 0.7x, p99 < ${p99MaxMs} ms${growth === null ? '' : ', growth flat'}`,
    met: fits,
    latency: `${latency(mine)}${growth === null ? '' : ` (p99 x ${growth.toFixed(1)})`}`,
    memory,
  }
}
