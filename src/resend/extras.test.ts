import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ok } from '../../test/app.ts'
import { createResendApp, given, refused } from './fixtures/client.ts'

const { posthorn, setUp } = await createResendApp()
const { app } = posthorn

test('what Resend knows of a row goes within a day after the row, however much there is, and the rest stays', async () => {
  const { team, resend } = await setUp()
  const make = (name: string) => given(resend.topics.create({ name, defaultSubscription: 'opt_in' }))
  const [kept, deleted] = [await make('Kept'), await make('Deleted')]
  await ok(team.api.delete(`/v1/topics/${deleted.id}`))
  await sql`
    insert into resend_extras (team_id, id, noun, extra, created_at)
    select ${team.id}, gen_random_uuid(), 'email', '{}', now() from generate_series(1, 2500)
  `.execute(app.db)
  await posthorn.runDueJobsAfter(25 * 3_600_000)
  const rows = await app.db.selectFrom('resend_extras').select('id').where('team_id', '=', team.id).execute()
  assert.deepEqual(rows, [{ id: kept.id }])
})

test('what Resend has beyond ours is kept with the topic or template, or neither is made, changed or deleted', async () => {
  const { team, resend } = await setUp()
  const one = { name: 'One', html: '<p>1</p>', subject: 'One' }
  const topic = await given(resend.topics.create({ name: 'One', description: 'One', defaultSubscription: 'opt_in' }))
  const template = await given(resend.templates.create({ ...one, alias: 'one' }).then((made) => made))
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'No extras.'; end $$
  `.execute(app.db)
  await sql`
    create trigger refuse before insert or update or delete on resend_extras for each row execute function refuse()
  `.execute(app.db)
  const tries = [
    () => resend.topics.create({ name: 'Two', defaultSubscription: 'opt_in' }),
    () => resend.topics.update({ id: topic.id, name: 'Two', description: 'Two' }),
    () => resend.topics.remove(topic.id),
    () => resend.templates.create({ ...one, name: 'Two', alias: 'two' }).then((made) => made),
    () => resend.templates.update(template.id, { name: 'Two', subject: 'Two' }),
    () => resend.templates.publish(template.id),
    () => resend.templates.duplicate(template.id).then((made) => made),
    () => resend.templates.remove(template.id),
  ]
  for (const attempt of tries) assert.equal((await refused(attempt()))[0], 500)
  await sql`drop trigger refuse on resend_extras`.execute(app.db)
  const [topics, templates] = await Promise.all(['topics', 'templates'].map((list) => team.api.get(`/v1/${list}`)))
  const shown = (rows: Record<string, string>[]) => rows.map(({ id, name, status }) => [id, name, status])
  assert.deepEqual(shown(topics!.body.data), [[topic.id, 'One', undefined]])
  assert.deepEqual(shown(templates!.body.data), [[template.id, 'One', 'draft']])
  const { api: owner } = await team.member('owner')
  const actions: string[] = (await ok(owner.get('/v1/audit'))).data.map(({ action }: { action: string }) => action)
  assert.deepEqual(
    actions.filter((action) => /^(?:topic|template)\./.test(action)),
    ['template.created', 'topic.created'],
  )
})
