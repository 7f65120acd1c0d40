import { setTimeout as sleep } from 'node:timers/promises'
import { closedLoop, type Load } from './closed-loop.ts'
import { fillEmails, findSandbox } from './fill-emails.ts'
import { latency, perSecond } from './format.ts'
import { postEmail } from './post-email.ts'
import { inMiB, memoryMiB } from './processes.ts'
import { relayTo, startSink } from './start-sink.ts'
import { type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

const clients = 8

/** Row 19: sends while retention removes a million old emails, against sends before it. */
export const retention: Workload = {
  name: 'retention',
  async run(options) {
    const sink = await startSink()
    try {
      return await withPosthorn(relayTo(sink), clients, (parts) => measure(options, parts))
    } finally {
      sink.stop()
    }
  },
}

async function measure(options: Options, parts: Parts): Promise<Result[]> {
  const { database, posthorn, teamId } = parts
  const { seconds, say } = options
  const size = Number(process.env.BENCH_EMAILS ?? (options.quick ? 20_000 : 1_000_000))
  const wanted = Math.min(Number(process.env.BENCH_REMOVED ?? size), size - waiting(size))
  say(`filling ${size} emails`)
  await fillEmails(database, await findSandbox(database), 0, size)
  const send = (turn: number) => postEmail(parts.http, posthorn.key!, turn)
  await closedLoop(clients, Math.min(seconds, 2), send)
  const before = await closedLoop(clients, seconds * 4, send)
  say(`before: ${perSecond(before.perSecond)}, ${latency(before)}`)
  const left = await removed(parts, size)
  const begun = performance.now()
  await database.query(`insert into team_retention (team_id, choices) values ($1, '{"emailsDays": 30}')`, [teamId])
  while ((await left()) === size) await sleep(50)
  const begins = performance.now()
  say(`removal began after ${((begins - begun) / 1000).toFixed(1)} s`)
  const during: Load[] = []
  let gone = 0
  while (gone < wanted) {
    const load = await closedLoop(clients, seconds * 4, send)
    const now = size - (await left())
    say(`during: ${perSecond(load.perSecond)}, ${latency(load)}; ${now} removed, ${await deadShare(parts)}`)
    if (now < wanted || during.length === 0) during.push(load)
    gone = now
  }
  say(`${gone} removed in ${((performance.now() - begins) / 1000).toFixed(0)} s`)
  const middle = during.toSorted((a, b) => a.p99Ms - b.p99Ms)[Math.floor(during.length / 2)] ?? before
  const ratio = middle.p99Ms / before.p99Ms
  return [
    {
      ...{
        row: '19',
        what: `POST /v1/emails, ${clients} clients, while ${wanted} of ${size} emails are removed`,
      },
      ...{ ours: perSecond(middle.perSecond), latency: latency(middle), memory: inMiB(await memoryMiB(posthorn.pid)) },
      ...{ reference: `${perSecond(before.perSecond)}, ${latency(before)} before`, ratio },
      ...{ target: 'p99 at most doubled', met: ratio <= 2 },
    },
  ]
}

/** One email in seventeen is scheduled and stays. */
function waiting(size: number): number {
  return Math.ceil(size / 17)
}

/** Says how much of the table waits for vacuum, and how often it ran. */
async function deadShare({ database }: Parts): Promise<string> {
  const { rows } = await database.query(
    "select n_dead_tup as dead, n_live_tup as live, autovacuum_count as runs from pg_stat_user_tables where relname = 'emails'",
  )
  const { dead, live, runs } = rows[0]
  return `${((100 * dead) / (Number(dead) + Number(live) || 1)).toFixed(1)} % dead, vacuumed ${runs} times`
}

/** Returns a count of the filled emails that are left. They are older than all others. */
async function removed({ database, teamId }: Parts, size: number): Promise<() => Promise<number>> {
  const { rows } = await database.query('select id from emails where team_id = $1 order by id offset $2 limit 1', [
    teamId,
    size,
  ])
  const first = rows[0].id
  return async () => {
    const count = 'select count(*)::int as left from emails where team_id = $1 and id < $2'
    return (await database.query(count, [teamId, first])).rows[0].left
  }
}
