import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { apiOf, createTestApp, ok, type TestTeam } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { writeRequestLog } from '../../platform/request-log/note.ts'

const posthorn = await createTestApp({ REQUEST_LOG: 'on' })
const other = await posthorn.another()
const { db } = posthorn.app
const confirm = { confirm: 'Shop' }

/** Returns the tables that hold rows of the team, live or test. */
async function tablesWith({ id }: TestTeam): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'team_id'
  `.execute(db)
  const held: string[] = []
  for (const { name } of rows) {
    const found = await sql`
      select from ${sql.table(name)} where team_id = ${id} or team_id in (select id from teams where test_of = ${id}) limit 1
    `.execute(db)
    if (found.rows.length > 0) held.push(name)
  }
  return held
}

async function teamRows({ id }: TestTeam): Promise<number> {
  return (await sql`select from teams where id = ${id} or test_of = ${id}`.execute(db)).rows.length
}

async function runUntilRemoved(team: TestTeam): Promise<void> {
  for (let turn = 0; turn < 50 && (await teamRows(team)) > 0; turn++) await posthorn.runDueJobs()
}

const emailOf = ({ domain }: TestTeam, fields: object = {}) => ({
  ...{ from: `a@${domain}`, to: ['ada@people.test'], subject: 'Hello', text: 'Hello', ...fields },
})

test('an owner deletes the team: access ends at once in every process, and no row of it stays', async () => {
  const team = await posthorn.team()
  const [owner, viewer] = [await team.member('owner'), await team.member('viewer')]
  await team.api.post('/v1/emails', emailOf(team))
  const { body: contact } = await team.api.post('/v1/contacts', { email: 'ada@people.test' })
  const { body: segment } = await team.api.post('/v1/segments', { name: 'All' })
  await team.api.post(`/v1/segments/${segment.id}/contacts`, { contactIds: [contact.id] })
  await team.api.post('/v1/topics', { name: 'News' })
  await team.api.post('/v1/suppressions', { email: 'gone@people.test' })
  await team.api.post('/v1/webhooks', { endpointUrl: 'https://hooks.example.com/a', events: ['email.sent'] })
  await owner.api.post('/v1/team/invitations', { email: 'new@people.test', role: 'viewer' })
  const { body: workflow } = await team.api.post('/v1/workflows', { name: 'Mine' })
  const nodes = [{ id: 'start', type: 'webhook_received' }]
  await team.api.patch(`/v1/workflows/${workflow.id}`, { nodes })
  const { triggerKey } = (await team.api.post(`/v1/workflows/${workflow.id}/activate`)).body
  const deleted = await owner.api.delete('/v1/team', confirm)
  assert.deepEqual([deleted.status, deleted.body], [200, { id: team.id, deleted: true }], deleted.text)
  assert.equal((await apiOf(other, team.key).get('/v1/emails')).status, 401)
  for (const { token } of [owner, viewer]) assert.equal((await apiOf(other, token).get('/auth/me')).status, 401)
  assert.equal((await posthorn.anyone.post(`/v1/workflows/triggers/${triggerKey}`, {})).status, 404)
  await runUntilRemoved(team)
  assert.deepEqual([await tablesWith(team), await teamRows(team)], [[], 0])
})

test('deliveries go with the team, also those of a webhook that was deleted just before it', async () => {
  const team = await posthorn.team()
  const owner = await team.member('owner')
  const webhooks = await Promise.all(
    ['a', 'b'].map((path) => {
      const endpointUrl = `https://hooks.example.com/${path}`
      return team.api.post('/v1/webhooks', { endpointUrl, events: ['email.sent'] })
    }),
  )
  const ids = webhooks.map(({ body }) => body.id)
  await sql`
    insert into webhook_deliveries (team_id, webhook_id, id, event_type, status, payload, created_at)
    select ${team.id}, webhook_id, gen_random_uuid(), 'email.sent', 'delivered', '{}', now()
    from unnest(${ids}::uuid[]) as webhook_id, generate_series(1, 1500)
  `.execute(db)
  await team.api.delete(`/v1/webhooks/${ids[1]}`)
  assert.equal((await owner.api.delete('/v1/team', confirm)).status, 200)
  await runUntilRemoved(team)
  assert.deepEqual([await tablesWith(team), await teamRows(team)], [[], 0])
})

test('requests that were answered just before the team was removed leave no entry in its log', async () => {
  const team = await posthorn.team()
  const owner = await team.member('owner')
  await team.api.get('/v1/emails')
  assert.equal((await owner.api.delete('/v1/team', confirm)).status, 200)
  await runUntilRemoved(team)
  await writeRequestLog(posthorn.app)
  assert.deepEqual([await tablesWith(team), await teamRows(team)], [[], 0])
})

test('only an owner deletes the team, by its name, soon after giving the password', async () => {
  const team = await posthorn.team()
  const [owner, admin] = [await team.member('owner'), await team.member('admin')]
  assert.equal((await admin.api.delete('/v1/team', confirm)).status, 403)
  assert.equal((await team.api.delete('/v1/team', confirm)).status, 403)
  for (const body of [{ confirm: 'shop' }, { confirm: '' }, {}, undefined])
    assert.equal((await owner.api.delete('/v1/team', body)).status, 400)
  await sql`update refresh_tokens set confirmed_at = confirmed_at - interval '16 minutes' where user_id = ${owner.userId}`.execute(
    db,
  )
  const stale = await owner.api.delete('/v1/team', confirm)
  assert.deepEqual([stale.status, stale.body.name], [403, 'reauthentication_required'])
  assert.equal((await owner.api.get('/v1/team')).status, 200)
})

test('a team with a paid subscription is not deleted', async () => {
  const team = await posthorn.team()
  const owner = await team.member('owner')
  await sql`
    insert into payment_subscriptions (id, provider, team_id, started_at, counts, state, updated_at)
    values ('sub_1', 'sandbox', ${team.id}, now(), true, '{}', now())
  `.execute(db)
  await sql`insert into payment_accounts (team_id, provider, subscription_id) values (${team.id}, 'sandbox', 'sub_1')`.execute(
    db,
  )
  assert.equal((await owner.api.delete('/v1/team', confirm)).status, 409)
  // The new provider does not know the subscription, so it cannot cancel it.
  await sql`update payment_accounts set provider = 'stripe' where team_id = ${team.id}`.execute(db)
  assert.equal((await owner.api.delete('/v1/team', confirm)).status, 200)
})

slowTest('what waits to be sent is not sent any more', async () => {
  const [team, stays] = [await posthorn.team(), await posthorn.team()]
  const owner = await team.member('owner')
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 3_600_000).toISOString()
  for (const { api, ...rest } of [team, stays]) {
    await ok(api.post('/v1/emails', emailOf(rest as TestTeam, { scheduledAt })))
  }
  assert.equal((await owner.api.delete('/v1/team', confirm)).status, 200)
  await posthorn.runDueJobsAfter(3_700_000)
  assert.equal((await stays.api.get('/v1/inbox')).body.data.length, 1)
  const { rows } = await sql`select from inbox_messages where team_id = ${team.id}`.execute(db)
  assert.equal(rows.length, 0)
})

slowTest('rows are removed a thousand a commit, and another process takes part', async () => {
  const [team, stays] = [await posthorn.team(), await posthorn.team()]
  const owner = await team.member('owner')
  for (const { id } of [team, stays]) {
    await sql`
      insert into suppressions (team_id, id, email, email_normalized, reason, created_at)
      select ${id}, gen_random_uuid(), number || '@people.test', number || '@people.test', 'manual', now() from generate_series(1, 2500) as number
    `.execute(db)
  }
  await owner.api.delete('/v1/team', confirm)
  await sql`
    create function note_removed() returns trigger language plpgsql as $$ begin
      insert into removed_pages select count(*) from old_rows; return null;
    end $$
  `.execute(db)
  await sql`create table removed_pages (rows bigint)`.execute(db)
  await sql`
    create trigger note_removed after delete on suppressions
    referencing old table as old_rows for each statement execute function note_removed()
  `.execute(db)
  await runUntilRemoved(team)
  const { rows } = await sql<{ most: string; all: string }>`
    select max(rows) as most, sum(rows) as all from removed_pages
  `.execute(db)
  assert.deepEqual([rows[0]?.most, rows[0]?.all], ['1000', '2500'])
  const left = await sql`select from suppressions where team_id = ${stays.id}`.execute(db)
  assert.equal(left.rows.length, 2500)
})
