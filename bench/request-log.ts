import { closedLoop } from './closed-loop.ts'
import { emailPaths } from './email-reads.ts'
import { fillEmails, findSandbox } from './fill-emails.ts'
import { read, readClients } from './measure-reads.ts'
import { cpuSeconds } from './processes.ts'
import { inTurns, median } from './statistics.ts'
import { type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

/** Row 16: the cost of the request log, as processor time of server and database for `GET /v1/emails/{id}`. */
export const requestLog: Workload = {
  name: 'request-log',
  run: (options) =>
    withPosthorn({ REQUEST_LOG: 'on' }, readClients, (on) =>
      withPosthorn({ REQUEST_LOG: 'off' }, readClients, (off) => measure(options, on, off)),
    ),
}

type Cost = { microseconds: number; perSecond: number }

/** A tenth of a per cent of difference needs many short turns, since a machine's speed drifts. */
const turnsOfRound = 20
const turnSeconds = 1.5

async function measure(options: Options, on: Parts, off: Parts): Promise<Result[]> {
  const emails = options.quick ? 1000 : 10_000
  const sides = { on: await sideOf(options, on, emails), off: await sideOf(options, off, emails) }
  const { on: ours, off: theirs } = await inTurns(options.rounds * turnsOfRound, sides)
  const ratio = median(ours.map(({ microseconds }, turn) => microseconds / theirs[turn]!.microseconds))
  const { rows } = await on.database.query(
    'select sum(json_array_length(entries))::integer as count from request_pages',
  )
  options.say(`the log holds ${rows[0].count} requests`)
  const shown = (costs: Cost[]) => {
    const of = (key: keyof Cost) => median(costs.map((cost) => cost[key])).toFixed(0)
    return `${of('microseconds')} µs of processor each, ${of('perSecond')}/s`
  }
  return [
    {
      ...{ row: '16', what: 'GET /v1/emails/{id} with the request log', ours: shown(ours), reference: shown(theirs) },
      ...{ ratio, target: '<= 1.02', met: ratio <= 1.02 },
    },
  ]
}

async function sideOf(options: Options, { database, http, posthorn }: Parts, emails: number) {
  const sandbox = await findSandbox(database)
  await fillEmails(database, sandbox, 0, emails)
  const path = await emailPaths(database, sandbox.teamId)
  const work = (turn: number) => read(http, posthorn.key!, path(turn))
  await closedLoop(readClients, 3 * options.seconds, work)
  return async (): Promise<Cost> => {
    const before = await spentSeconds(posthorn.pid)
    const { count, perSecond } = await closedLoop(readClients, turnSeconds, work)
    // The last batch is written after a second.
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const microseconds = (((await spentSeconds(posthorn.pid)) - before) / count) * 1e6
    options.say(`${posthorn.url}: ${microseconds.toFixed(0)} µs, ${perSecond.toFixed(0)}/s`)
    return { microseconds, perSecond }
  }
}

async function spentSeconds(pid: number): Promise<number> {
  const { own, below } = await cpuSeconds(pid)
  return own + below
}
