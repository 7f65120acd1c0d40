import type { Pool } from 'undici'
import { closedLoop, type Load, middle } from './closed-loop.ts'
import { latency, perSecond } from './format.ts'
import { inTurns, median } from './statistics.ts'
import type { Options, Result } from './workload.ts'

/** One read, as a path of the API and as the reference that returns the same rows, with its targets. */
export type Read = {
  what: string
  path(turn: number): string
  bare(turn: number): Promise<void>
  against: string
  ratioMin: number
  p99MaxMs: number
}

export type Figures = { read: Read; ours: Load[]; bare: Load[] }

export const readClients = 8
/** The factor that a p99 may grow by, from few rows to many, and still count as flat. */
const growthMax = 1.5

/** Measures each read by the API and by its reference, in turns. */
export async function measureReads(
  options: Options,
  reads: Read[],
  http: Pool,
  key: string,
): Promise<Map<string, Figures>> {
  const figures = new Map<string, Figures>()
  for (const each of reads) {
    const ours = (turn: number) => read(http, key, each.path(turn))
    const side = (name: string, work: (turn: number) => Promise<void>) => async () => {
      const load = await closedLoop(readClients, options.seconds, work)
      options.say(`${each.what}: ${name} ${perSecond(load.perSecond)}, ${latency(load)}`)
      return load
    }
    for (const work of [ours, each.bare]) await closedLoop(readClients, Math.min(options.seconds, 1), work)
    const sides = { ours: side('ours', ours), bare: side(each.against, each.bare) }
    figures.set(each.what, { read: each, ...(await inTurns(options.rounds, sides)) })
  }
  return figures
}

/** Reads a path with a key. Throws if the answer is no 200. */
export async function read(http: Pool, key: string, path: string): Promise<void> {
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
function lineOf(row: string, what: string, { read, ours, bare }: Figures, before: Load | null, memory: string): Result {
  const [mine, theirs] = [middle(ours), middle(bare)]
  const ratio = median(ours.map((load, round) => load.perSecond / bare[round]!.perSecond))
  const growth = before && mine.p99Ms / before.p99Ms
  const fits = ratio >= read.ratioMin && mine.p99Ms < read.p99MaxMs && (growth === null || growth <= growthMax)
  return {
    ...{
      row,
      what,
      ours: perSecond(mine.perSecond),
      reference: `${perSecond(theirs.perSecond)} ${read.against}`,
      ratio,
    },
    target: `>= ${read.ratioMin}x, p99 < ${read.p99MaxMs} ms${growth === null ? '' : ', growth flat'}`,
    met: fits,
    latency: `${latency(mine)}${growth === null ? '' : ` (p99 x ${growth.toFixed(1)})`}`,
    memory,
  }
}
