import { monitorEventLoopDelay } from 'node:perf_hooks'
import release from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import { createSandbox, type Sandbox } from '../src/workflows/sandbox/sandbox.ts'
import { closedLoop, middle } from './closed-loop.ts'
import { latency, milliseconds, perSecond } from './format.ts'
import { inTurns, median } from './statistics.ts'
import type { Options, Result, Workload } from './workload.ts'

const callers = 16
const ratioMin = 0.8
const lagMaxMs = 20

const source = `
  const items = input.trigger.items.filter((item) => item.price > 10)
  const total = items.reduce((sum, item) => sum + item.price * item.count, 0)
  return { total, names: items.map((item) => item.name.toUpperCase()) }
`
const tenTeams = Array.from({ length: 10 }, (_, index) => `team ${index}`)
const items = Array.from({ length: 20 }, (_, index) => ({ name: `item ${index}`, price: index, count: 2 }))
const input = JSON.stringify({ trigger: { items }, vars: {} })
const expected = '{"total":270,"names":["ITEM 11"'

/** Row 11: runs of a code node in the sandbox, of one team and of ten in turn, and how long they block the process. */
export const codeNodes: Workload = {
  name: 'code-nodes',
  async run(options) {
    const sandbox = createSandbox()
    try {
      return await measure(options, sandbox)
    } finally {
      await sandbox.close()
    }
  },
}

async function measure({ rounds, seconds, say }: Options, sandbox: Sandbox): Promise<Result[]> {
  const quickjs = await newQuickJSWASMModuleFromVariant(release as unknown as QuickJSSyncVariant)
  const lags: number[] = []
  const ours = (name: string, teams: string[]) => async () => {
    const lag = monitorEventLoopDelay({ resolution: 1 })
    lag.enable()
    const load = await closedLoop(callers, seconds, (turn) => runInSandbox(sandbox, teams[turn % teams.length]!))
    lag.disable()
    lags.push(lag.percentile(99) / 1e6)
    say(`${name} ${perSecond(load.perSecond)}, ${latency(load)}, lag ${milliseconds(lags.at(-1)!)}`)
    return load
  }
  const alone = async () => {
    const load = await closedLoop(1, seconds, async () => runAlone(quickjs))
    say(`quickjs alone ${perSecond(load.perSecond)}, ${latency(load)}`)
    return load
  }
  await closedLoop(callers, Math.min(seconds, 1), () => runInSandbox(sandbox, 'one'))
  const figures = await inTurns(rounds, {
    one: ours('one team', ['one']),
    ten: ours('ten teams', tenTeams),
    alone,
  })
  const ratioOf = (loads: { perSecond: number }[]) =>
    median(loads.map((load, round) => load.perSecond / figures.alone[round]!.perSecond))
  const lagMs = median(lags)
  const reference = `${perSecond(middle(figures.alone).perSecond)} quickjs alone, a fresh runtime each`
  const line = (row: string, what: string, loads: typeof figures.one): Result => ({
    ...{ row, what, ours: perSecond(middle(loads).perSecond), latency: latency(middle(loads)) },
    ...{ reference, ratio: ratioOf(loads), target: '', met: null },
  })
  const isMet = ratioOf(figures.one) >= ratioMin && lagMs < lagMaxMs
  const target = `>= ${ratioMin}x, lag p99 < ${lagMaxMs} ms (is ${milliseconds(lagMs)})`
  return [
    { ...line('11', 'code nodes of one team, in the sandbox', figures.one), target, met: isMet },
    {
      ...line('11b', 'the same of ten teams in turn, each with machines of its own', figures.ten),
      target: 'what the wall costs',
    },
  ]
}

async function runInSandbox(sandbox: Sandbox, teamId: string): Promise<void> {
  const answer = await sandbox.run(teamId, () => ({ kind: 'code', source, input }), new AbortController().signal)
  check('output' in answer ? answer.output : answer.fault)
}

/** Runs the minimum that gives the same result, without limits. It blocks its caller. */
function runAlone(quickjs: QuickJSWASMModule): void {
  const runtime = quickjs.newRuntime()
  const context = runtime.newContext()
  const text = `JSON.stringify((function (input) {${source}\n})(${input}))`
  const value = context.unwrapResult(context.evalCode(text))
  check(context.getString(value))
  value.dispose()
  context.dispose()
  runtime.dispose()
}

function check(output: string): void {
  if (!output.startsWith(expected)) throw new Error(`The code gave ${output.slice(0, 200)}`)
}
