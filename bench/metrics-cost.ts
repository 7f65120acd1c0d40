import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { closedLoop } from './closed-loop.ts'
import { perSecond } from './format.ts'
import { postEmail } from './post-email.ts'
import { cpuSeconds } from './processes.ts'
import { relayTo, startSink } from './start-sink.ts'
import { inTurns, median } from './statistics.ts'
import { type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

const clients = 32
/** A few per cent of difference need many short turns, since a machine's speed drifts. */
const turnsOfRound = 4

/** Row 18e: the cost of keeping metrics, as processor time of server and database for each `POST /v1/emails`. */
export const metricsCost: Workload = {
  name: 'metrics-cost',
  async run(options) {
    const sink = await startSink()
    try {
      return await withPosthorn(relayTo(sink), clients, (parts) => measure(options, parts))
    } finally {
      sink.stop()
    }
  },
}

type Cost = { microseconds: number; perSecond: number }

async function measure(options: Options, parts: Parts): Promise<Result[]> {
  const post = (turn: number) => postEmail(parts.http, parts.posthorn.key!, turn)
  const withMetrics = await functionsOf(parts.database)
  const without = earlierFunctions()
  const side = (name: string, functions: string) => async (): Promise<Cost> => {
    await parts.database.query(functions)
    await closedLoop(clients, 1, post)
    const before = await spentSeconds(parts)
    const load = await closedLoop(clients, options.seconds, post)
    const microseconds = (((await spentSeconds(parts)) - before) / load.count) * 1e6
    options.say(`${name}: ${microseconds.toFixed(0)} µs, ${perSecond(load.perSecond)}`)
    return { microseconds, perSecond: load.perSecond }
  }
  const sides = { kept: side('with metrics', withMetrics), none: side('without', without) }
  await closedLoop(clients, options.seconds, post)
  const { kept, none } = await inTurns(options.rounds * turnsOfRound, sides)
  const ratio = median(kept.map(({ microseconds }, turn) => microseconds / none[turn]!.microseconds))
  return [
    {
      ...{
        row: '18e',
        what: `POST /v1/emails with metrics, ${clients} clients`,
        ours: shown(kept),
        reference: shown(none),
      },
      ...{ ratio, target: '<= 1.03', met: ratio <= 1.03 },
    },
  ]
}

function shown(costs: Cost[]): string {
  const of = (key: keyof Cost) => median(costs.map((cost) => cost[key])).toFixed(0)
  return `${of('microseconds')} µs of processor each, ${of('perSecond')}/s`
}

async function spentSeconds({ posthorn }: Parts): Promise<number> {
  const { own, below } = await cpuSeconds(posthorn.pid)
  return own + below
}

const names = ['count_inserted_emails', 'count_updated_emails', 'count_deleted_emails']

/** The functions of the triggers on emails, as the migrations left them. */
async function functionsOf(database: pg.Pool): Promise<string> {
  const { rows } = await database.query(
    'select pg_get_functiondef(oid) as text from pg_proc where proname = any ($1)',
    [names],
  )
  return rows.map(({ text }) => text).join(';\n')
}

/** The same functions before metrics were kept. They count emails by status only. */
function earlierFunctions(): string {
  const migration = readFileSync(new URL('../migrations/0005_emails.sql', import.meta.url), 'utf8')
  return names
    .map((name) => new RegExp(`create (function ${name}\\(\\)[^$]*\\$\\$[^$]*\\$\\$;)`).exec(migration)![1])
    .map((text) => `create or replace ${text}`)
    .join('\n')
}
