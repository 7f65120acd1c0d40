import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../src/context.ts'
import { untilNone, verifyCompleted } from './count-executions.ts'
import { fillExecutions, withApp } from './fill-executions.ts'
import { milliseconds, perSecond } from './format.ts'
import { type MadeWorkflow, makeWorkflow } from './make-workflow.ts'
import { cpuSeconds, inMiB, memoryMiB } from './processes.ts'
import { median } from './statistics.ts'
import { type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

/** Rows 7g to 7i: the cost of executions that wait on a delay, and how fast they continue when all fall due at once. */
export const parkedDelays: Workload = {
  name: 'parked-delays',
  run: (options) =>
    withPosthorn({ LONG_DELAY: '1s' }, 2, (parts) => withApp(parts, (app) => measure(options, parts, app))),
}

const growthMax = 1.5

async function measure({ quick, say }: Options, parts: Parts, app: App): Promise<Result[]> {
  const [count, trial] = quick ? [5000, 500] : [100_000, 5000]
  const idleMs = quick ? 3000 : 20_000
  const workflow = await makeWorkflow(parts, [{ id: 'wait', type: 'delay', config: { until: '{{trigger.until}}' } }])
  const inMs = (ms: number) => new Date(Date.now() + ms)

  // Executions that have ended, so that the memory they leave behind is in both figures.
  const rate = await park(parts, app, workflow, trial, inMs(quick ? 5000 : 20_000))
  await untilNone(parts.database, workflow, ['running', 'waiting'])
  const none = await idle(parts, app, idleMs)
  say(`none parked: ${told(none)}`)

  // A few begin faster than many continue, and each look takes two idle times.
  const until = inMs((count / rate) * 3000 + 3 * idleMs)
  say(`parked at ${perSecond(await park(parts, app, workflow, count, until))}`)
  const many = await idle(parts, app, idleMs)
  say(`${count} parked: ${told(many)}`)
  if (Date.now() > until.getTime()) throw new Error('The delays fell due during the measurement: use longer ones.')

  await sleep(until.getTime() - Date.now())
  await untilNone(parts.database, workflow, ['running', 'waiting'])
  const resumed = (count / (Date.now() - until.getTime())) * 1000
  say(`resumed at ${perSecond(resumed)}`)
  await verifyCompleted(parts.database, workflow, count + trial)
  return results(count, { none, many, resumed })
}

/** Executions a second, until all wait. */
async function park(parts: Parts, app: App, workflow: MadeWorkflow, count: number, until: Date): Promise<number> {
  const started = performance.now()
  await fillExecutions(app, parts.teamId, workflow, count, { until: until.toISOString() })
  await untilNone(parts.database, workflow, ['running'])
  return (count / (performance.now() - started)) * 1000
}

type Idle = { memory: number; serverMs: number; databaseMs: number; claimMs: number }

const claims = 100

/** Measures an idle server: its memory, its processor time a second, and the time of a look for due jobs. */
async function idle({ posthorn }: Parts, app: App, ms: number): Promise<Idle> {
  // Lets earlier work finish: a checkpoint, garbage collection.
  await sleep(ms)
  const before = await cpuSeconds(posthorn.pid)
  await sleep(ms)
  const after = await cpuSeconds(posthorn.pid)
  const times: number[] = []
  for (let claim = 0; claim < claims; claim++) {
    const started = performance.now()
    await app.jobs.runDue()
    times.push(performance.now() - started)
  }
  const aSecond = (spent: number) => (spent / ms) * 1e6
  return {
    memory: (await memoryMiB(posthorn.pid)) ?? 0,
    serverMs: aSecond(after.own - before.own),
    databaseMs: aSecond(after.below - before.below),
    claimMs: median(times),
  }
}

function told({ memory, serverMs, databaseMs, claimMs }: Idle): string {
  const spent = `server ${serverMs.toFixed(0)} ms, database ${databaseMs.toFixed(0)} ms of processor time a second`
  return `${inMiB(memory)}, ${spent}, ${milliseconds(claimMs)} a look for due jobs`
}

function results(count: number, { none, many, resumed }: { none: Idle; many: Idle; resumed: number }): Result[] {
  const what = `${count} executions parked on a delay`
  const spent = ({ serverMs, databaseMs }: Idle) => serverMs + databaseMs
  const growth = many.claimMs / none.claimMs
  return [
    {
      ...{ row: '7g', what: `${what}: processor time while idle`, ours: `${spent(many).toFixed(0)} ms/s` },
      ...{ reference: `${spent(none).toFixed(0)} ms/s, none parked`, ratio: spent(many) / spent(none) },
      ...{
        target: 'as near as it gets',
        met: null,
        memory: `${inMiB(many.memory)}, none parked ${inMiB(none.memory)}`,
      },
    },
    {
      ...{ row: '7h', what: `${what}: a look for due jobs`, ours: milliseconds(many.claimMs) },
      ...{ reference: `${milliseconds(none.claimMs)}, none parked`, ratio: growth },
      ...{ target: `<= ${growthMax}x`, met: growth <= growthMax },
    },
    {
      ...{ row: '7i', what: `${count} that fall due at once`, ours: perSecond(resumed) },
      ...{ reference: '', ratio: null, target: '', met: null },
    },
  ]
}
