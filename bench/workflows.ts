import { join } from 'node:path'
import { Pool } from 'undici'
import type { App } from '../src/context.ts'
import { type BareStep, bareRun, makeBareWorkflows, updateBareContact } from './bare-workflow.ts'
import { closedLoop } from './closed-loop.ts'
import { untilNone, verifyCompleted } from './count-executions.ts'
import { fillContacts } from './fill-contacts.ts'
import { fillExecutions, withApp } from './fill-executions.ts'
import { milliseconds, perSecond } from './format.ts'
import { type MadeWorkflow, makeWorkflow, type Step, startExecution, textStep } from './make-workflow.ts'
import { installPeers } from './peers.ts'
import { cpuSeconds, inMiB, memoryMiB } from './processes.ts'
import { contactsOfDbos, type DbosRuns, openDbos } from './run-in-dbos.ts'
import { startPostgres } from './start-postgres.ts'
import { type Sink, startSink } from './start-sink.ts'
import { inTurns, median } from './statistics.ts'
import { timeToFirstNode } from './time-to-first-node.ts'
import { type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

const clients = 32
/** Callers and connections at which DBOS runs most. */
const dbosCallers = 100
const dbosConnections = 20
export const contacts = 10_000

/** Row 7: workflows of five stored steps, with effects and without. */
export const workflows: Workload = {
  name: 'workflows',
  async run(options) {
    await installPeers(options.say)
    const sink = await startSink('http-sink.ts')
    const toSink = new Pool(`http://127.0.0.1:${sink.port}`, { connections: clients, pipelining: 1 })
    try {
      return await withPosthorn({ OUTBOUND_ALLOW: '127.0.0.0/8' }, clients, async (parts) => {
        const server = await startPostgres(join(parts.folder, 'dbos'), 1)
        await server.pool.query(contactsOfDbos)
        await server.pool.query('insert into contacts (email) select unnest($1::text[])', [emails])
        const dbos = await openDbos(server, toSink, dbosConnections)
        try {
          return await withApp(parts, (app) => measure(options, { ...parts, sink, toSink, dbos, app }))
        } finally {
          await dbos.close()
          await server.stop()
        }
      })
    } finally {
      await toSink.close()
      sink.stop()
    }
  },
}

const emails = Array.from({ length: contacts }, (_, n) => `person${n}@example.com`)

type Peers = Parts & { sink: Sink; toSink: Pool; dbos: DbosRuns; app: App }

async function measure(options: Options, peers: Peers): Promise<Result[]> {
  const { rounds, seconds, quick, say } = options
  const { database, posthorn, teamId, dbos, sink } = peers
  const count = quick ? 1000 : 10_000
  await fillContacts(database, teamId, 0, contacts)
  await makeBareWorkflows(database)
  let run = 0
  const next = () => inputOf(run++)

  /** `start` asks for all executions of a workflow. */
  const ours = (name: string, steps: Step[], start: Start) => async () => {
    const before = await cpuSeconds(posthorn.pid)
    const rate = await runAll(peers, steps, count, start)
    const after = await cpuSeconds(posthorn.pid)
    const each = (cpu: number) => `${((cpu * 1e6) / count).toFixed(0)} µs`
    const spent = `server ${each(after.own - before.own)}, database ${each(after.below - before.below)} an execution`
    say(`${name}, ours ${perSecond(rate)}; ${spent}`)
    return rate
  }
  const overHttp: Start = (workflow) => startAll(peers, workflow, count, next)
  const inProcess: Start = (workflow) => fillExecutions(peers.app, teamId, workflow, count, {})
  const reference = (name: string, callers: number, work: () => Promise<void>) => async () => {
    const { perSecond: rate } = await closedLoop(callers, seconds, work)
    say(`${name} ${perSecond(rate)}`)
    return rate
  }
  const bareOf = (stepsOf: (input: Input) => BareStep[]) => () => {
    const input = next()
    return bareRun(database, teamId, input, stepsOf(input))
  }
  const sides = {
    work: ours('effects', workSteps(sink.port), overHttp),
    workDbos: reference('effects, DBOS', dbosCallers, () => dbos.work(next())),
    workBare: reference('effects, bare', clients, bareOf(bareWork(peers))),
    nothing: ours('no effects', nothingSteps, overHttp),
    backlog: ours('no effects, a backlog', nothingSteps, inProcess),
    nothingDbos: reference('no effects, DBOS', dbosCallers, () => dbos.nothing(run++)),
    nothingBare: reference('no effects, bare', clients, bareOf(bareNothing)),
  }
  if (!quick) for (const side of Object.values(sides)) await side()
  const figures = await inTurns<keyof typeof sides, number>(rounds, sides)
  const memory = inMiB(await memoryMiB(posthorn.pid))
  const repeated = await sink.repeated()
  if (repeated > 0) throw new Error(`${repeated} requests reached the sink more than once.`)
  const first = await timeToFirstNode(peers, quick ? 20 : 200)
  const what = 'executions of five steps'
  return [
    line('7a', `${what} with effects`, figures.work, { name: 'DBOS', figures: figures.workDbos, min: 8 }, memory),
    line('7b', 'the same', figures.work, { name: 'bare transactions', figures: figures.workBare }),
    line('7c', `${what} without effects`, figures.nothing, { name: 'DBOS', figures: figures.nothingDbos, min: 8 }),
    line('7d', 'the same', figures.nothing, { name: 'bare transactions', figures: figures.nothingBare }),
    line('7e', 'the same, started a thousand a commit, no HTTP', figures.backlog, {
      ...{ name: 'DBOS', figures: figures.nothingDbos },
    }),
    {
      ...{ row: '7f', what: 'from the request to the first node, ten a second', ours: milliseconds(first.p50Ms) },
      ...{ reference: '', ratio: null, target: '', met: null },
      latency: `${milliseconds(first.p50Ms)} / ${milliseconds(first.p99Ms)}`,
    },
  ]
}

type Input = { run: number; email: string; amount: number }

export function inputOf(run: number): Input {
  return { run, email: emails[run % contacts]!, amount: 25 }
}

export const workSteps = (port: number): Step[] => [
  { id: 'values', type: 'transform_data', config: { mode: 'jsonpath', expression: '$.trigger.amount' } },
  { id: 'large', type: 'condition', config: { left: '{{trigger.amount}}', operator: 'greater_than', right: 10 } },
  {
    id: 'update',
    type: 'update_contact',
    config: { contact: '{{trigger.email}}', first_name: 'Run {{trigger.run}}' },
  },
  {
    id: 'text',
    type: 'transform_data',
    config: { mode: 'template', expression: 'Run {{trigger.run}} of {{node_update.email}}' },
  },
  {
    id: 'request',
    type: 'http_request',
    config: { method: 'POST', url: `http://127.0.0.1:${port}/runs/{{trigger.run}}`, body: '{{node_text}}' },
  },
]

const nothingSteps = ['one', 'two', 'three', 'four', 'five'].map(textStep)

const bareNothing = (): BareStep[] => nothingSteps.map(({ id }) => ({ name: id }))

function bareWork({ teamId, toSink }: Peers) {
  return ({ run, email }: Input): BareStep[] => [
    { name: 'values' },
    { name: 'large' },
    { name: 'update', write: { ...updateBareContact, values: [teamId, email, `Run ${run}`] } },
    { name: 'text' },
    {
      name: 'request',
      async call() {
        const path = `/runs/${run}`
        const response = await toSink.request({ method: 'POST', path, body: `Run ${run} of ${email}` })
        await response.body.dump()
      },
    },
  ]
}

export type Start = (workflow: MadeWorkflow) => Promise<void>

/** Executions a second, from the first that is asked for until the last is recorded. */
export async function runAll(
  { database, sink, ...parts }: Pick<Peers, 'database' | 'sink' | 'http' | 'posthorn'>,
  steps: Step[],
  count: number,
  start: Start,
): Promise<number> {
  const workflow = await makeWorkflow(parts, steps)
  const taken = await sink.taken()
  const started = performance.now()
  await start(workflow)
  await untilNone(database, workflow, ['running', 'waiting'])
  const rate = (count / (performance.now() - started)) * 1000
  await verifyCompleted(database, workflow, count)
  const arrived = (await sink.taken()) - taken
  const due = steps.some(({ type }) => type === 'http_request') ? count : 0
  if (arrived !== due) throw new Error(`${due} requests were due at the sink, ${arrived} arrived.`)
  return rate
}

export async function startAll(
  parts: Pick<Parts, 'http' | 'posthorn'>,
  workflow: MadeWorkflow,
  count: number,
  next: () => Input,
): Promise<void> {
  let asked = 0
  async function client(): Promise<void> {
    while (asked++ < count) await startExecution(parts, workflow, next())
  }
  await Promise.all(Array.from({ length: clients }, client))
}

type Reference = { name: string; figures: number[]; min?: number }

function line(row: string, what: string, ours: number[], { name, figures, min }: Reference, memory?: string): Result {
  const ratio = median(ours.map((rate, round) => rate / figures[round]!))
  return {
    ...{ row, what, ours: perSecond(median(ours)), reference: `${perSecond(median(figures))} ${name}`, ratio },
    ...{ target: min ? `>= ${min}x` : 'as near as it gets', met: min ? ratio >= min : null },
    ...(memory && { memory }),
  }
}
