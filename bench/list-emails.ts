import { join } from 'node:path'
import pg from 'pg'
import { Pool } from 'undici'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/start.ts'
import { bareReads, type Read } from './bare-reads.ts'
import { closedLoop, type Load, middle } from './closed-loop.ts'
import { fillEmails, findSandbox } from './fill-emails.ts'
import { latency, perSecond } from './format.ts'
import { inMiB, memoryMiB } from './processes.ts'
import { quiet } from './start-postgres.ts'
import { liftLimits, type Posthorn, startPosthorn } from './start-posthorn.ts'
import { inTurns, median } from './statistics.ts'
import { inTemporaryFolder } from './temporary-folder.ts'
import type { Options, Result, Workload } from './workload.ts'

const clients = 8
const p99MaxMs = 20
/** What a p99 may grow by, from few to many, and still be called flat. */
const growthMax = 1.5

/** Row 9: one email, and lists with filter, search and total, at 10,000 emails and at a million. */
export const listEmails: Workload = {
  name: 'list-emails',
  run: (options) =>
    inTemporaryFolder(async (folder) => {
      const dataDir = join(folder, 'ours')
      const posthorn = await startPosthorn(dataDir)
      // Adopts the server that runs there already.
      const embedded = await startEmbeddedPostgres({ dataDir, log: quiet })
      const database = new pg.Pool({ ...embedded.connection(), max: clients })
      try {
        await liftLimits(posthorn)
        return await measure(options, posthorn, database)
      } finally {
        await database.end()
        await embedded.stop()
        await posthorn.stop()
      }
    }),
}

type Figures = { ours: Load[]; bare: Load[] }

async function measure(options: Options, posthorn: Posthorn, database: pg.Pool): Promise<Result[]> {
  const sizes = options.quick ? [1000, 10_000] : [10_000, 1_000_000]
  const sandbox = await findSandbox(database)
  const http = new Pool(posthorn.url, { connections: clients, pipelining: 1 })
  const measured: Map<string, Figures>[] = []
  let filled = 0
  for (const size of sizes) {
    options.say(`filling up to ${size} emails`)
    await fillEmails(database, sandbox, filled, size)
    filled = size
    const reads = await bareReads(database, sandbox.teamId)
    measured.push(await measureReads(options, reads, http, posthorn.key!))
  }
  const memory = inMiB(await memoryMiB(posthorn.pid))
  await http.close()
  return results(sizes, measured, memory)
}

async function measureReads(options: Options, reads: Read[], http: Pool, key: string): Promise<Map<string, Figures>> {
  const figures = new Map<string, Figures>()
  for (const read of reads) {
    const ours = (turn: number) => get(http, key, read.path(turn))
    const side = (name: string, work: (turn: number) => Promise<void>) => async () => {
      const load = await closedLoop(clients, options.seconds, work)
      options.say(`${read.what}: ${name} ${perSecond(load.perSecond)}, ${latency(load)}`)
      return load
    }
    for (const work of [ours, read.select]) await closedLoop(clients, Math.min(options.seconds, 1), work)
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

function results(sizes: number[], measured: Map<string, Figures>[], memory: string): Result[] {
  const [few, many] = measured as [Map<string, Figures>, Map<string, Figures>]
  return [...many].flatMap(([what, figures], index) => {
    const before = middle(few.get(what)!.ours)
    return [
      lineOf(`9${letter(index)}`, `${what}, ${sizes[0]} emails`, few.get(what)!, null, ''),
      lineOf(`9${letter(index)}`, `${what}, ${sizes[1]} emails`, figures, before, memory),
    ]
  })
}

function letter(index: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + index)
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
