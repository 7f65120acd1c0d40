import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createTestApp, type TestTeam } from '../../test/app.ts'
import { until } from '../../test/patience.ts'
import { propertyTest, randomCases } from '../../test/slow.ts'
import { recordEmailFacts } from '../emails/messages/facts/record.ts'
import { nilId } from '../platform/ids.ts'
import { readAll, readOnceThere } from './fixtures/read-all.ts'

const posthorn = await createTestApp()
const other = await posthorn.another()

async function sendEmails(team: TestTeam, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const mail = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'x', text: 'x' }
    ids.push((await team.api.post('/v1/emails', mail)).body.id)
  }
  return ids
}

/** Begins a transaction of another process that records an opening, and holds it until `end`. */
async function begin(team: TestTeam, emailId: string, note: string) {
  const gate = Promise.withResolvers<boolean>()
  const written = Promise.withResolvers<void>()
  const ended = other.app
    .transaction(async (tx) => {
      const fact = { type: 'opened' as const, recipient: null, data: { note } }
      await recordEmailFacts(tx, [{ teamId: team.id, emailId, facts: [fact] }])
      await sql`select 1`.execute(tx.db)
      written.resolve()
      if (!(await gate.promise)) throw new Error('rolled back')
    })
    .catch((error) => assert.equal(error.message, 'rolled back'))
  await Promise.race([written.promise, ended])
  return {
    async end(commits: boolean) {
      gate.resolve(commits)
      await ended
    },
  }
}

const notesOf = (entries: { data: { details: Record<string, unknown> | null } }[]) =>
  entries.flatMap(({ data }) => (data.details?.note as string | undefined) ?? [])

test('two transactions that commit in the other order than they began are both shown, once each', async () => {
  const team = await posthorn.team()
  const [early, late] = await sendEmails(team, 2)
  await readOnceThere(team.api, 4)
  const { cursor } = await readAll(team.api)
  const slow = await begin(team, early!, 'slow')
  const quick = await begin(team, late!, 'quick')
  await quick.end(true)
  // The reader must not be told of the second while the first, whose place is in front, may still come.
  const between = await readAll(team.api, { after: cursor })
  assert.deepEqual(notesOf(between.entries), [])
  await slow.end(true)
  await until(async () => (await readAll(team.api, { after: cursor })).entries.length === 2)
  const { entries } = await readAll(team.api, { after: between.cursor })
  assert.deepEqual(notesOf(entries), ['slow', 'quick'])
})

const writersMax = 4
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('begin' as const), writer: fc.nat(writersMax - 1) }),
    fc.record({ do: fc.constant('end' as const), writer: fc.nat(writersMax - 1), commits: fc.boolean() }),
    fc.record({ do: fc.constant('read' as const), limit: fc.integer({ min: 1, max: 3 }) }),
  ),
  { minLength: 10, maxLength: 40 },
)

propertyTest(
  'a reader that goes on from its cursor gets each committed event once, whenever transactions begin and end',
  async () => {
    const team = await posthorn.team()
    const emails = await sendEmails(team, writersMax)
    await readOnceThere(team.api, 2 * writersMax)
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const open = new Map<number, { note: string; end(commits: boolean): Promise<void> }>()
        const [committed, read]: [string[], string[]] = [[], []]
        let { cursor } = await readAll(team.api)
        let notes = 0
        async function readOn(query: string): Promise<void> {
          const { body } = await team.api.get(`/v1/feed?after=${cursor}&${query}`)
          read.push(...notesOf(body.data))
          cursor = body.cursor
        }
        async function end(writer: number, commits: boolean): Promise<void> {
          const { note, end } = open.get(writer)!
          open.delete(writer)
          await end(commits)
          if (commits) committed.push(note)
        }
        for (const step of steps) {
          if (step.do === 'read') await readOn(`limit=${step.limit}`)
          else if (step.do === 'end' && open.has(step.writer)) await end(step.writer, step.commits)
          else if (step.do === 'begin' && !open.has(step.writer)) {
            const note = `${notes++}`
            open.set(step.writer, { note, ...(await begin(team, emails[step.writer]!, note)) })
          }
        }
        for (const writer of [...open.keys()]) await end(writer, true)
        await until(async () => {
          await readOn('limit=100')
          return read.length >= committed.length
        })
        assert.deepEqual([...read].sort(), [...committed].sort())
      }),
      { numRuns: randomCases(100) },
    )
  },
)

test('events of a process of the version before, which writes every column, are shown', async () => {
  const team = await posthorn.team()
  const [emailId] = await sendEmails(team, 1)
  const row = {
    team_id: team.id,
    id: posthorn.app.newId(),
    email_id: emailId,
    type: 'opened',
    created_at: posthorn.clock.now(),
  }
  await sql`
    insert into email_events select * from json_populate_recordset(null::email_events, ${JSON.stringify([row])}::json)
  `.execute(posthorn.app.db)
  const entries = await readOnceThere(team.api, 3)
  assert.equal(entries[2]!.type, 'email.opened')
})

test('a page is read from the index of the feed, in its order, up to the first transaction that is open', async () => {
  const team = await posthorn.team()
  const [emailId] = await sendEmails(team, 1)
  await sql`
    insert into email_events (team_id, id, email_id, type, created_at)
    select ${team.id}, gen_random_uuid(), ${emailId}, 'opened', now() from generate_series(1, 20)
  `.execute(posthorn.app.db)
  const plan = await posthorn.app.transaction(async (tx) => {
    // A small table is read as a whole otherwise, and sorted as a whole.
    await sql`set local enable_seqscan = off`.execute(tx.db)
    await sql`set local enable_sort = off`.execute(tx.db)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select position, id, email_id, type from email_events
      where team_id = ${team.id} and position >= 0 and position < feed_horizon()
        and position >= 5 and (position, id) > (5, ${nilId}::uuid)
      order by position, id limit 10
    `.execute(tx.db)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  assert.match(plan, /Index Scan using email_events_feed/)
  assert.match(plan, /Index Cond: .*team_id.*position.*pg_snapshot_xmin/)
  assert.match(plan, /Presorted Key: .*position/)
})
