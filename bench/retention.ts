import { setTimeout as sleep } from 'node:timers/promises'
import { closedLoop, type Load } from './closed-loop.ts'
import { fillEmails, findSandbox } from './fill-emails.ts'
import { latency, perSecond } from './format.ts'
import { html, recipient, subject, text } from './message.ts'
import { inMiB, memoryMiB } from './processes.ts'
import { startSink } from './start-sink.ts'
import { callApi, type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

const clients = 8

/** Row 19: sends while retention removes a million old emails, against sends before it. */
export const retention: Workload = {
  name: 'retention',
  async run(options) {
    const sink = await startSink()
    const environment = { EMAIL_PROVIDER: 'smtp', SMTP_RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none` }
    try {
      return await withPosthorn(environment, clients, (parts) => measure(options, parts))
    } finally {
      sink.stop()
    }
  },
}

async function measure(options: Options, parts: Parts): Promise<Result[]> {
  const { database, posthorn, teamId } = parts
  const { seconds, say } = options
  const size = Number(process.env.BENCH_EMAILS ?? (options.quick ? 20_000 : 1_000_000))
  say(`filling ${size} emails`)
  await fillEmails(database, await findSandbox(database), 0, size)
  const send = async (turn: number) => {
    await callApi(parts, 'POST', '/v1/emails', {
      from: 'Shop <hello@sandbox.test>',
      to: [recipient(turn)],
      subject,
      text,
      html,
    })
  }
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
  while ((await left()) > waiting(size)) {
    const load = await closedLoop(clients, seconds * 4, send)
    const now = size - (await left())
    say(`during: ${perSecond(load.perSecond)}, ${latency(load)}; ${now} removed`)
    if (now - gone > 0 && (await left()) > waiting(size)) during.push(load)
    gone = now
  }
  const tookSeconds = (performance.now() - begins) / 1000
  const middle = during.toSorted((a, b) => a.p99Ms - b.p99Ms)[Math.floor(during.length / 2)] ?? before
  const ratio = middle.p99Ms / before.p99Ms
  return [
    {
      ...{
        row: '19',
        what: `POST /v1/emails, ${clients} clients, while ${size} emails are removed in ${tookSeconds.toFixed(0)} s`,
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
