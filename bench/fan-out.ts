import { randomUUID } from 'node:crypto'
import { fillContacts, fillSegments } from './fill-contacts.ts'
import { perSecond } from './format.ts'
import { broadcastContent } from './merge-message.ts'
import { type Broadcast, statsOf, until, untilSent } from './send-broadcast.ts'
import { inTurns, median } from './statistics.ts'
import { callApi, type Parts } from './with-posthorn.ts'
import type { Options, Result } from './workload.ts'

const pollMs = 5
const patienceMs = 120_000
const ratioMin = 0.5

/**
 * Row 4: the time until every contact of a segment is planned, and until each is skipped, as a client sees it. The
 * reference is one statement that inserts as many rows into a table of the same shape.
 */
export async function measureFanOut(options: Options, parts: Parts): Promise<Result[]> {
  const { rounds, quick, say } = options
  const count = quick ? 2000 : 100_000
  say(`filling ${count} contacts that nothing may be sent to`)
  const audience = await makeSkippedAudience(parts, count)
  await parts.database.query('create table bare_recipients (like broadcast_recipients including all)')
  const skipped: number[] = []
  const ours = async () => {
    const { planned, done } = await planAndSkip(parts, audience, count)
    skipped.push(done)
    say(`planned ${perSecond(planned)}, planned and skipped ${perSecond(done)}`)
    return planned
  }
  const bare = async () => {
    const rate = await insertBare(parts, audience.segmentId, count)
    say(`insert … select ${perSecond(rate)}`)
    return rate
  }
  return results(count, await inTurns<string, number>(rounds, { ours, bare }), skipped)
}

type Audience = { segmentId: string; topicId: string }

/** Makes contacts of whom a third each is unsubscribed, suppressed, and not opted in to the topic. */
async function makeSkippedAudience(parts: Parts, count: number): Promise<Audience> {
  const { database, teamId } = parts
  // Numbers beyond the contacts of row 3.
  const [from, to] = [1_000_000, 1_000_000 + count]
  const { id: segmentId } = await callApi<{ id: string }>(parts, 'POST', '/v1/segments', { name: 'Nobody' })
  const { id: topicId } = await callApi<{ id: string }>(parts, 'POST', '/v1/topics', { name: 'Nothing' })
  await fillContacts(database, teamId, from, to)
  await fillSegments(database, teamId, [segmentId], from, to)
  await database.query(`update contacts set unsubscribed = true where ${third(0)}`, [teamId, segmentId])
  await database.query(suppressThird, [teamId, segmentId])
  for (const table of ['contacts', 'suppressions']) await database.query(`vacuum (analyze) ${table}`)
  return { segmentId, topicId }
}

const third = (which: number) => `
  team_id = $1 and (properties->>'points')::int % 3 = ${which}
  and id in (select contact_id from segment_contacts where team_id = $1 and segment_id = $2)
`

const suppressThird = `
  insert into suppressions (team_id, id, email, email_normalized, reason, created_at)
  select $1, gen_random_uuid(), email, email_key, 'manual', now() from contacts where ${third(1)}
`

/** Returns contacts a second from the request to send: until all are planned, and until all are skipped. */
async function planAndSkip(parts: Parts, audience: Audience, count: number) {
  const draft = { name: 'To nobody', ...audience, ...broadcastContent }
  const { id } = await callApi<Broadcast>(parts, 'POST', '/v1/broadcasts', draft)
  const started = performance.now()
  const rate = () => (count / (performance.now() - started)) * 1000
  const deadline = started + patienceMs
  await callApi(parts, 'POST', `/v1/broadcasts/${id}/send`)
  await until(deadline, pollMs, () => isPlanned(parts, id))
  const planned = rate()
  await untilSent(parts, id, deadline)
  const done = rate()
  const { unsubscribed, suppressed, notOptedIn } = (await statsOf(parts, id)).skipped
  if (Math.min(unsubscribed, suppressed, notOptedIn) === 0 || unsubscribed + suppressed + notOptedIn !== count)
    throw new Error(
      `${unsubscribed} unsubscribed, ${suppressed} suppressed and ${notOptedIn} not opted-in of ${count} contacts were skipped.`,
    )
  return { planned, done }
}

async function isPlanned({ database, teamId }: Parts, id: string): Promise<boolean> {
  const { rows } = await database.query({
    name: 'is-planned',
    text: 'select planned_at is not null as "isPlanned" from broadcasts where team_id = $1 and id = $2',
    values: [teamId, id],
  })
  return rows[0].isPlanned
}

async function insertBare({ database, teamId }: Parts, segmentId: string, count: number): Promise<number> {
  const started = performance.now()
  const { rowCount } = await database.query(
    `insert into bare_recipients (team_id, broadcast_id, contact_id)
     select team_id, $3, contact_id from segment_contacts where team_id = $1 and segment_id = $2`,
    [teamId, segmentId, randomUUID()],
  )
  if (rowCount !== count) throw new Error(`The bare statement inserted ${rowCount} rows.`)
  return (count / (performance.now() - started)) * 1000
}

function results(count: number, { ours, bare }: Record<string, number[]>, skipped: number[]): Result[] {
  const ratioOf = (mine: number[]) => median(mine.map((rate, round) => rate / bare![round]!))
  const reference = `${perSecond(median(bare!))} insert … select`
  const ratio = ratioOf(ours!)
  return [
    {
      ...{ row: '4', what: `planning a broadcast to ${count} contacts`, ours: perSecond(median(ours!)), reference },
      ...{ ratio, target: `>= ${ratioMin}x`, met: ratio >= ratioMin },
    },
    {
      ...{ row: '4b', what: 'the same, until each is skipped', ours: perSecond(median(skipped)), reference },
      ...{ ratio: ratioOf(skipped), target: 'what the rules cost', met: null },
    },
  ]
}
