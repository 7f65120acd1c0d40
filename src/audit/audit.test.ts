import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../test/app.ts'
import { signUp } from '../../test/person.ts'
import { pluck } from '../../test/pluck.ts'
import { operatorOf, runAs } from '../platform/audit/actor.ts'
import { type Change, recordChange } from '../platform/audit/record.ts'

const posthorn = await createTestApp()
const { app, clock } = posthorn
const minuteMs = 60_000

/** Signs up a person, who gets a team. */
async function member() {
  const { user, team, email, api } = await signUp(posthorn)
  const teamId = team.id as string
  const record = (change: Partial<Change>) =>
    app.transaction((tx) =>
      recordChange(tx, { teamId, action: 'thing.made', target: { type: 'thing', id: 'one', name: 'One' }, ...change }),
    )
  const list = async (query = '') => (await api.get(`/v1/audit?${query}`)).body
  const actions = async (query = '') => (await list(query)).data.map(({ action }: { action: string }) => action)
  return { api, teamId, userId: user.id as string, email, record, list, actions }
}

test('an entry says who changed what, when, and from where', async () => {
  const { teamId, userId, list, email } = await member()
  const actor = { type: 'user', id: userId, name: null, address: '192.0.2.7', requestId: app.newId() } as const
  const target = { type: 'domain', id: app.newId(), name: 'shop.test' }
  const changes = { openTracking: { from: false, to: true } }
  const at = clock.now().toISOString()
  await runAs(actor, () =>
    app.transaction((tx) => recordChange(tx, { teamId, action: 'domain.updated', target, changes })),
  )
  const [{ id, ...entry }] = (await list('action=domain.updated')).data
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.deepEqual(entry, {
    ...{ at, actor: { type: 'user', id: userId, name: email }, action: 'domain.updated', target, changes },
    ...{ address: '192.0.2.7', requestId: actor.requestId },
  })
})

test('filters by actor, action, target and time narrow the list, and hold together', async () => {
  const { teamId, record, actions } = await member()
  const actor = { ...operatorOf('team set-plan') }
  const [one, two] = [app.newId(), app.newId()]
  const start = clock.now().getTime()
  const at = (minutes: number) => encodeURIComponent(new Date(start + minutes * minuteMs).toISOString())
  await record({ action: 'thing.made', target: { type: 'thing', id: one, name: 'First' } })
  clock.advance(minuteMs)
  await record({ action: 'thing.changed', target: { type: 'thing', id: one, name: 'First' }, actor })
  clock.advance(minuteMs)
  await record({ action: 'thing.deleted', target: { type: 'thing', id: two, name: 'Second' } })
  await record({ action: 'number.assigned', target: { type: 'number', id: '+61400000000' } })
  assert.deepEqual(await actions('action=thing.made'), ['thing.made'])
  assert.deepEqual(await actions(`target=${one.toUpperCase()}`), ['thing.changed', 'thing.made'])
  assert.deepEqual(await actions('target=Second'), ['thing.deleted'])
  assert.deepEqual(await actions('target=%2B61400000000'), ['number.assigned'])
  assert.deepEqual(await actions('actor=team%20set-plan'), ['thing.changed'])
  assert.deepEqual(await actions(`target=${one}&actor=Posthorn`), ['thing.made'])
  assert.deepEqual(await actions(`target=${one}&from=${at(1)}`), ['thing.changed'])
  assert.deepEqual(await actions(`target=${one}&until=${at(1)}`), ['thing.made'])
  assert.deepEqual(await actions(`target=${one}&from=${at(0)}&until=${at(2)}`), ['thing.changed', 'thing.made'])
  assert.deepEqual(await actions(`actor=${teamId}`), [])
})

test('the pages hold each entry once, newest first', async () => {
  const { record, list } = await member()
  for (let n = 0; n < 5; n++) await record({ target: { type: 'thing', id: `n${n}`, name: 'Paged' } })
  const ids = (page: { data: { target: { id: string } }[] }) => page.data.map(({ target }) => target.id)
  const first = await list('target=Paged&limit=2')
  await record({ target: { type: 'thing', id: 'late', name: 'Paged' } })
  const second = await list(`target=Paged&limit=2&cursor=${first.cursor}`)
  const third = await list(`target=Paged&limit=2&cursor=${second.cursor}`)
  assert.deepEqual([first, second, third].map(ids), [['n4', 'n3'], ['n2', 'n1'], ['n0']])
  assert.deepEqual([third.cursor, third.hasMore], [null, false])
})

test('a team sees its own entries only, and an API key sees none', async () => {
  const [ours, theirs] = [await member(), await member()]
  await theirs.record({ action: 'secret.thing' })
  assert.ok(!JSON.stringify(await ours.list('limit=100')).includes('secret.thing'))
  for (let n = 0; n < 3; n++) await theirs.record({})
  const { cursor } = await theirs.list('limit=1')
  assert.equal((await ours.api.get(`/v1/audit?cursor=${cursor}`)).status, 400)
  assert.equal((await (await posthorn.team()).api.get('/v1/audit')).status, 403)
})

test('owners and admins read the log, and no other role', async () => {
  const { api, userId } = await member()
  const statuses = []
  for (const role of ['owner', 'admin', 'developer', 'marketer', 'viewer'] as const) {
    await app.db.updateTable('team_members').set({ role }).where('user_id', '=', userId).execute()
    statuses.push((await api.get('/v1/audit')).status)
  }
  assert.deepEqual(statuses, [200, 200, 403, 403, 403])
})

test('a filter that cannot be read is refused by name', async () => {
  const { api } = await member()
  for (const [path, query] of [
    ['from', 'from=yesterday'],
    ['until', 'until=2030-02-30T00:00:00Z'],
    ['until', 'from=2030-06-15T12:00:00Z&until=2030-06-15T12:00:00Z'],
    ['actor', 'actor='],
    ['action', `action=${'x'.repeat(101)}`],
    ['target', `target=${'x'.repeat(321)}`],
  ]) {
    const { status, body } = await api.get(`/v1/audit?${query}`)
    assert.deepEqual([status, body.errors?.[0].path], [400, path], query)
  }
})

test('no statement changes an entry, and only those older than 400 days are removed', async () => {
  const { record, teamId } = await member()
  await record({ action: 'old.thing' })
  clock.advance(401 * 86_400_000)
  await record({ action: 'new.thing' })
  const change = sql`update audit_entries set actor_name = 'another' where team_id = ${teamId}`
  const remove = sql`delete from audit_entries where team_id = ${teamId}`
  for (const statement of [change, remove, sql`truncate audit_entries`])
    await assert.rejects(statement.execute(app.db), /Audit entries never change/)
  await posthorn.runDueJobs()
  const { rows } = await sql<{ action: string }>`
    select action from audit_entries where team_id = ${teamId}
  `.execute(app.db)
  assert.deepEqual(pluck(rows, 'action'), ['new.thing'])
})

test('the entries of a team go with the team', async () => {
  const { record, teamId } = await member()
  await record({})
  await sql`delete from teams where id = ${teamId}`.execute(app.db)
  const { rows } = await sql`select id from audit_entries where team_id = ${teamId}`.execute(app.db)
  assert.equal(rows.length, 0)
})
