import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createTestApp, type TestTeam } from '../../../test/app.ts'
import { forAllAsync } from '../../../test/for-all.ts'
import { readPages } from '../../../test/pages.ts'
import { propertyTest, slowTest } from '../../../test/slow.ts'
import type { EmailFact } from '../messages/facts/consequences.ts'
import { recordEmailFacts } from '../messages/facts/record.ts'
import { emailStatuses } from '../messages/statuses.ts'
import { foldEmailCounts } from './count.ts'

const posthorn = await createTestApp()
const { app } = posthorn

type Listed = { id: string; subject: string; status: string }

async function list(team: TestTeam, query: string): Promise<{ found: Listed[]; total: number }> {
  const pages = await readPages(team.api, `/v1/emails?limit=2&${query}`)
  return { found: pages.flatMap(({ data }) => data), total: pages.at(-1).total }
}

const facts: Record<string, EmailFact> = {
  sent: { type: 'sent', recipient: null, data: null },
  delayed: { type: 'delivery_delayed', recipient: 'ada@people.test', data: {} },
  delivered: { type: 'delivered', recipient: 'ada@people.test', data: {} },
  bounced: { type: 'bounced', recipient: 'ada@people.test', permanent: true, suppress: false, data: {} },
  complained: { type: 'complained', recipient: 'ada@people.test', suppress: false, data: {} },
}
const count = 5

async function change(team: TestTeam, happens: string, ids: string[]): Promise<void> {
  if (happens === 'fold') return foldEmailCounts.run(app)
  await app.transaction(async (tx) => {
    if (happens === 'removed') {
      await tx.db.deleteFrom('emails').where('team_id', '=', team.id).where('id', '=', ids[0]!).execute()
    } else {
      await recordEmailFacts(
        tx,
        ids.map((emailId) => ({ teamId: team.id, emailId, facts: [facts[happens]!] })),
      )
    }
  })
}

/** Lists by each status hold the emails that the list of all shows with it, whatever else narrows them. */
async function checkLists(team: TestTeam): Promise<void> {
  const all = (await list(team, '')).found
  for (const status of emailStatuses) {
    for (const [query, subject] of [
      ['', ''],
      ['&search=odd', 'Odd'],
      ['&from=2020-01-01T00:00:00Z', ''],
    ] as const) {
      const wanted = all.filter((email) => email.status === status && email.subject.startsWith(subject))
      assert.deepEqual(
        await list(team, `status=${status}${query}`),
        { found: wanted, total: wanted.length },
        status + query,
      )
    }
  }
}

propertyTest(
  'lists by status are exact, whatever happened to emails before, between and after their listing',
  async () => {
    const step = fc.record({
      happens: fc.constantFrom('fold', 'removed', ...Object.keys(facts)),
      which: fc.uniqueArray(fc.nat(count - 1), { minLength: 1, maxLength: count }),
    })
    await forAllAsync(4, fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
      const team = await posthorn.team()
      const scheduledAt = new Date(posthorn.clock.now().getTime() + 86_400_000).toISOString()
      const emails = Array.from({ length: count }, (_, n) => ({
        ...{ from: `a@${team.domain}`, to: ['ada@people.test'], subject: `${n % 2 ? 'Odd' : 'Even'} ${n}`, text: 'x' },
        ...(n > 0 && { scheduledAt }),
      }))
      const { body } = await team.api.post('/v1/emails/batch', { emails })
      const left: string[] = body.data.map(({ id }: Listed) => id)
      for (const { happens, which } of steps) {
        const ids = which.flatMap((at) => left[at] ?? [])
        if (ids.length > 0) await change(team, happens, ids)
        if (happens === 'removed' && ids[0]) left.splice(left.indexOf(ids[0]), 1)
      }
      await checkLists(team)
      await foldEmailCounts.run(app)
      await checkLists(team)
      const { rows } = await sql`
      select from email_statuses as listed full join emails as email
        on email.team_id = listed.team_id and email.id = listed.email_id and email.status = listed.status
      where coalesce(listed.team_id, email.team_id) = ${team.id} and (listed.email_id is null or email.id is null)
    `.execute(app.db)
      assert.equal(rows.length, 0, 'Each email is listed once, under its status.')
    })
  },
)

slowTest('a fold takes no more emails than it can list in time, and always one change', async () => {
  const team = await posthorn.team()
  await foldEmailCounts.run(app)
  for (const many of [60_000, 30_000, 20_000, 1]) {
    await sql`
      insert into email_count_changes (team_id, domain_id, status, from_address, change, came)
      select ${team.id}, ${team.domainId}, 'sent', 'a@b.test', 1, array_agg(gen_random_uuid()) from generate_series(1, ${many}::int)
    `.execute(app.db)
  }
  const left = async () => {
    const { rows } = await sql<{ many: number }>`
      select cardinality(came) as many from email_count_changes where team_id = ${team.id} order by id
    `.execute(app.db)
    return rows.map(({ many }) => many)
  }
  await foldEmailCounts.run(app)
  assert.deepEqual(await left(), [30_000, 20_000, 1])
  await foldEmailCounts.run(app)
  assert.deepEqual(await left(), [1])
})

test('no index of emails holds what sending changes, so that an update of an email writes no index', async () => {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = 'emails'::regclass
  `.execute(app.db)
  for (const { definition } of rows) {
    assert.doesNotMatch(definition, /\b(status|dispatching|sent_at|scheduled_at|seen|opens|clicks|counted_at)\b/)
  }
})
