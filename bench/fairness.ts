import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../src/context.ts'
import { untilNone, verifyCompleted } from './count-executions.ts'
import { fillExecutions, withApp } from './fill-executions.ts'
import { fillTeams } from './fill-teams.ts'
import { latency, milliseconds } from './format.ts'
import { type MadeWorkflow, makeWorkflow, startExecution, textStep } from './make-workflow.ts'
import { inTurns, median, percentile } from './statistics.ts'
import { type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

const everyMs = 1000
/** The teams with one execution a second each, which is enough for a percentile. */
const quietTeams = 5
const ratioMax = 3

/** Row 13: one team floods workflows, others start one a second. */
export const fairness: Workload = {
  name: 'fairness',
  run: (options) => withPosthorn({}, quietTeams, (parts) => withApp(parts, (app) => measure(options, parts, app))),
}

type Quiet = { parts: Pick<Parts, 'http' | 'posthorn'>; workflow: MadeWorkflow }
type Times = { p50Ms: number; p99Ms: number }

async function measure({ rounds, seconds, quick, say }: Options, parts: Parts, app: App): Promise<Result[]> {
  const flood = quick ? 10_000 : 100_000
  const forSeconds = seconds * (quick ? 2 : 4)
  const steps = ['one', 'two'].map(textStep)
  const flooded = await makeWorkflow(parts, steps)
  const quiet: Quiet[] = []
  for (const { key } of await fillTeams(parts.database, quietTeams)) {
    const own = { http: parts.http, posthorn: { ...parts.posthorn, key } }
    quiet.push({ parts: own, workflow: await makeWorkflow(own, steps) })
  }
  await startSteadily(quiet, 3)
  let started = 0
  const alone = async () => {
    const times = await timesOf(parts, quiet, forSeconds)
    say(`alone ${latency(times)}`)
    return times
  }
  const beside = async () => {
    await fillExecutions(app, parts.teamId, flooded, flood, {})
    started += flood
    const begun = performance.now()
    const times = await timesOf(parts, quiet, forSeconds)
    const left = await countUnderWay(parts, flooded)
    await untilNone(parts.database, flooded, ['running', 'waiting'])
    const lastedMs = performance.now() - begun
    say(`beside a flood of ${flood} ${latency(times)}; ${left} of it were left, it took ${milliseconds(lastedMs)}`)
    if (left === 0) say('The flood ended before the measurement did.')
    return times
  }
  const figures = await inTurns<'alone' | 'beside', Times>(rounds, { alone, beside })
  await verifyCompleted(parts.database, flooded, started)
  const p99 = (times: Times[]) => median(times.map(({ p99Ms }) => p99Ms))
  const p50 = (times: Times[]) => median(times.map(({ p50Ms }) => p50Ms))
  const ratio = median(figures.beside.map(({ p99Ms }, round) => p99Ms / figures.alone[round]!.p99Ms))
  return [
    {
      ...{ row: '13', what: `started to completed, one a second, beside ${flood} executions of another team` },
      ...{
        ours: `p99 ${milliseconds(p99(figures.beside))}`,
        reference: `p99 ${milliseconds(p99(figures.alone))} alone`,
      },
      ...{ ratio, target: `<= ${ratioMax}x`, met: ratio <= ratioMax },
      latency: latency({ p50Ms: p50(figures.beside), p99Ms: p99(figures.beside) }),
    },
  ]
}

/** Returns the times from the request to the recorded end, both on this machine's clock. */
async function timesOf({ database }: Parts, quiet: Quiet[], forSeconds: number): Promise<Times> {
  const sent = await startSteadily(quiet, forSeconds)
  for (const { workflow } of quiet) await untilNone(database, workflow, ['running', 'waiting'])
  const { rows } = await database.query(
    `select id, status, extract(epoch from completed_at) * 1000 as "completedMs" from workflow_executions where id = any($1)`,
    [[...sent.keys()]],
  )
  if (rows.length !== sent.size || rows.some(({ status }) => status !== 'completed'))
    throw new Error(`Not all of ${sent.size} executions were completed.`)
  const times = rows.map(({ id, completedMs }) => Number(completedMs) - sent.get(id)!).sort((a, b) => a - b)
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) }
}

/** Starts one execution a second of each team, one team after the other. Returns the time of each request, by id. */
async function startSteadily(quiet: Quiet[], forSeconds: number): Promise<Map<string, number>> {
  const sent = new Map<string, number>()
  const start = async ({ parts, workflow }: Quiet, run: number) => {
    const at = Date.now()
    sent.set(await startExecution(parts, workflow, { run }), at)
  }
  const begun = performance.now()
  const starts: Promise<void>[] = []
  for (let turn = 0; turn < forSeconds * quiet.length; turn++) {
    await sleep(Math.max(0, begun + (turn * everyMs) / quiet.length - performance.now()))
    starts.push(start(quiet[turn % quiet.length]!, turn))
  }
  await Promise.all(starts)
  return sent
}

async function countUnderWay({ database, teamId }: Parts, { id }: MadeWorkflow): Promise<number> {
  const { rows } = await database.query(
    `select count(*)::int as count from workflow_executions where team_id = $1 and workflow_id = $2 and status = 'running'`,
    [teamId, id],
  )
  return rows[0].count
}
