import type pg from 'pg'
import { closedLoop, type Load, middle } from './closed-loop.ts'
import { findSandbox } from './fill-emails.ts'
import { latency, perSecond } from './format.ts'
import { inTurns, median } from './statistics.ts'
import { callApi, type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

const p99MaxMs = 50
/** Two viewers of a dashboard at the same time. */
const clients = 2
const hours = 365 * 24
/** Domains, broadcasts and tags that have figures in every hour, besides the team. */
const scopes = 12
const emails = 10_000_000
/** More than the sends of five seconds leave. */
const unfolded = 2000

/** Row 18: the figures of a year. */
export const metrics: Workload = {
  name: 'metrics',
  run: (options) => withPosthorn({}, clients + 1, (parts) => measure(options, parts)),
}

async function measure(options: Options, parts: Parts): Promise<Result[]> {
  const { teamId, domainId } = await findSandbox(parts.database)
  options.say(`filling ${hours} hours of ${scopes + 1} scopes`)
  await fill(parts.database, teamId, domainId)
  const from = new Date(Date.now() - (hours - 48) * 3_600_000).toISOString()
  const paths: [row: string, what: string, path: string][] = [
    ['18a', 'a year of emails by the day', `/v1/metrics/emails?from=${from}&timezone=Europe/Berlin`],
    ['18b', 'a year of one domain by the day', `/v1/metrics/emails?from=${from}&domainId=${domainId}`],
    ['18c', 'a year of webhooks by the day', `/v1/metrics/webhooks?from=${from}`],
    ['18d', '30 days of emails by the hour', '/v1/metrics/emails?interval=hour'],
  ]
  const results: Result[] = []
  for (const [row, what, path] of paths) results.push(await measureOne(options, parts, row, what, path))
  return results
}

async function measureOne(options: Options, parts: Parts, row: string, what: string, path: string): Promise<Result> {
  const ours = async () => void (await callApi(parts, 'GET', path))
  const bare = async () => void (await parts.database.query(countHours))
  const side = (name: string, work: () => Promise<void>) => async () => {
    const load = await closedLoop(clients, options.seconds, work)
    options.say(`${what}: ${name} ${perSecond(load.perSecond)}, ${latency(load)}`)
    return load
  }
  for (const work of [ours, bare]) await closedLoop(clients, 1, work)
  const loads: Record<'ours' | 'bare', Load[]> = await inTurns(options.rounds, {
    ours: side('ours', ours),
    bare: side('bare', bare),
  })
  const [mine, theirs] = [middle(loads.ours), middle(loads.bare)]
  return {
    ...{ row, what, ours: perSecond(mine.perSecond), reference: `${perSecond(theirs.perSecond)} bare count by day` },
    ratio: median(loads.ours.map((load, round) => load.perSecond / loads.bare[round]!.perSecond)),
    ...{ target: `p99 < ${p99MaxMs} ms`, met: mine.p99Ms < p99MaxMs, latency: latency(mine) },
  }
}

/** The same number of hours, counted without anything else. */
const countHours = {
  name: 'count hours',
  text: `select date_trunc('day', hour), sum(accepted), sum(sent), sum(delivered) from email_metrics
    where scope = '00000000-0000-0000-0000-000000000000' group by 1`,
}

/**
 * Inserts what ten million emails of a year leave: a row for each hour and scope, hour by hour as folding does, so that
 * a team's rows are spread over the table. The changes come from the trigger, by emails that are sent now.
 */
async function fill(database: pg.Pool, teamId: string, domainId: string): Promise<void> {
  const all = `select $1::uuid as team_id, scope, date_trunc('hour', now(), 'UTC') - n * interval '1 hour' as hour, scope_index, n
    from generate_series(${hours}, 1, -1) as n,
      (select '00000000-0000-0000-0000-000000000000'::uuid as scope, 0 as scope_index
       union all select $2::uuid, 1
       union all select md5(i::text)::uuid, i from generate_series(2, ${scopes}) as i) as scopes order by n desc, scope`
  const counts = ['accepted', 'sent', 'delivered', 'opened', 'unique_opened', 'clicked', 'unique_clicked']
  const share = `(${Math.round(emails / hours)} / (scope_index + 1) * (0.5 + (n % 24) / 24.0))::int`
  await database.query(
    `insert into email_metrics (team_id, scope, hour, ${counts.join(', ')})
     select team_id, scope, hour, ${counts.map((_, index) => `${share} / ${index + 1}`).join(', ')} from (${all}) as rows`,
    [teamId, domainId],
  )
  const steps = Array.from({ length: 29 }, (_, step) => `ms_${step}`)
  await database.query(
    `insert into webhook_metrics (team_id, scope, hour, delivered, attempts, ${steps.join(', ')})
     select team_id, scope, hour, ${share}, ${share}, ${steps.map((_, step) => `n % ${step + 2}`).join(', ')}
     from (${all}) as rows where scope_index = 0 and $2::uuid is not null`,
    [teamId, domainId],
  )
  await database.query('vacuum (analyze) email_metrics')
  await database.query('vacuum (analyze) webhook_metrics')
  for (let sent = 0; sent < unfolded; sent++) await database.query(insertEmail, [teamId, domainId, `${sent}`])
}

const insertEmail = `
  insert into emails (team_id, id, domain_id, domain_name, from_address, to_addresses, subject, status, message_id, created_at)
  values ($1, gen_random_uuid(), $2, 'sandbox.test', 'a@sandbox.test', '{b@example.com}', 'Hello', 'scheduled', $3, now())
`
