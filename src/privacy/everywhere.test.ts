import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { type Delivery, deliverToDomainJob } from '../emails/jobs.ts'
import { enqueueJobs } from '../platform/jobs/enqueue.ts'
import { writeRequestLog } from '../platform/request-log/note.ts'
import { webhookSecret } from '../whatsapp/fixtures/shop.ts'
import { ask } from './fixtures/ask.ts'
import { leaveTraces } from './fixtures/leave-traces.ts'
import { searchDatabase } from './fixtures/search-database.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret, REQUEST_LOG: 'on' })

type Named = { id: string; name: string; email: string }

slowTest(
  'after an erasure no table but the audit log holds the address or the number, plain or percent-encoded',
  async () => {
    const team = await posthorn.team()
    const person = await leaveTraces(posthorn, team)
    await writeRequestLog(posthorn.app)
    const before = await searchDatabase(posthorn, [person.email, person.phone])
    assert.ok(before.length > 60, before.join('\n'))
    // Noted, and not yet written.
    await team.api.get(`/v1/inbox/threads/sms/${encodeURIComponent(person.phone)}`)
    const { api, path } = await ask(team, { type: 'erase', email: person.email })
    await posthorn.runDueJobs()
    const { body } = await api.get(path)
    assert.equal(body.status, 'done', JSON.stringify(body, null, 1))
    await writeRequestLog(posthorn.app)
    assert.deepEqual(await searchDatabase(posthorn, [person.email, person.phone]), ['audit_entries.target_name'])
  },
)

slowTest(
  'what others have stays, without the person in it, and a request that is repeated sends nothing again',
  async () => {
    const team = await posthorn.team()
    const person = await leaveTraces(posthorn, team)
    const { api } = team
    const [templates, contacts, emails] = await Promise.all(
      ['templates', 'contacts', 'emails'].map(async (list) => (await ok(api.get(`/v1/${list}?limit=100`))).data),
    )
    const { path, api: admin } = await ask(team, { type: 'erase', phoneNumber: person.phone })
    await posthorn.runDueJobs()
    assert.equal((await ok(admin.get(path))).status, 'done')
    const template = await ok(api.get(`/v1/templates/${templates.find(({ name }: Named) => name !== 'Encoded').id}`))
    assert.deepEqual(
      [template.name, template.html, template.text],
      [
        'For erased',
        '<p>Ask <a href="mailto:erased">Ada</a>, erased</p>',
        'https://shop.test/people?who=erased&where=1',
      ],
    )
    const bob = await ok(api.get(`/v1/contacts/${contacts.find(({ email }: Named) => email.startsWith('bob@')).id}`))
    assert.equal(bob.lastName, 'of erased')
    assert.deepEqual(bob.properties, {
      friend: 'erased',
      erased: 1,
      link: 'https://shop.test/people?who=erased&where=1',
      more: { list: ['erased', 'Write to <erased>.'] },
    })
    const [waiting, ...more] = (await ok(api.get('/v1/emails?status=scheduled'))).data
    assert.equal(more.length, 0)
    const { to, html, text } = await ok(api.get(`/v1/emails/${waiting.id}`))
    assert.deepEqual(to, ['bob@people.test', 'erased'])
    assert.equal(html, '<p>Ask erased, <a href="https://shop.test/people?who=erased&where=1">here</a></p>')
    assert.equal(text, 'Ask erased')
    const again = {
      from: `shop@${team.domain}`,
      subject: 'Hello',
      text: 'Hello',
      to: ['bob@people.test'],
      cc: [person.email],
    }
    const body = { ...again, html: `<p>${person.email} ${person.phone}</p>` }
    const repeated = await ok(api.post('/v1/emails', body, { 'idempotency-key': 'shared' }))
    assert.ok(emails.some(({ id }: Named) => id === repeated.id))
    assert.deepEqual([repeated.cc, repeated.html], [['erased'], null])
  },
)

test('jobs that wait lose the person, and go on for the others', async () => {
  const { app, clock } = posthorn
  const team = await posthorn.team()
  const ada = 'ada@waiting.test'
  const runAt = new Date(clock.now().getTime() + 3_600_000)
  const job = (key: string, recipients: string[]) => ({
    teamId: team.id,
    key,
    runAt,
    payload: { recipients } as Delivery,
  })
  const jobs = [job('one', [ada]), job('two', [ada, 'bob@waiting.test']), job('three', ['eve@waiting.test'])]
  await app.transaction((tx) => enqueueJobs(tx, deliverToDomainJob, jobs))
  const { api, path } = await ask(team, { type: 'erase', email: ada })
  await posthorn.runDueJobs()
  assert.deepEqual((await ok(api.get(path))).counts.jobs, { removed: 2, left: 0 })
  const left = await app.db
    .selectFrom('jobs')
    .select(['key', 'payload'])
    .where('team_id', '=', team.id)
    .orderBy('id')
    .execute()
  assert.deepEqual(left, [
    { key: 'two', payload: { recipients: ['bob@waiting.test'] } },
    { key: 'three', payload: { recipients: ['eve@waiting.test'] } },
  ])
})

test('a sender of the team who is erased is no sender any more, and the totals of its emails stay', async () => {
  const team = await posthorn.team()
  const { api, domain } = team
  const ada = `ada@${domain}`
  const send = (from: string) =>
    ok(api.post('/v1/emails', { from, to: ['bob@people.test'], subject: 'Hello', text: 'Hello' }))
  for (const from of [ada, `Ada <${ada}>`, `shop@${domain}`]) await send(from)
  await posthorn.runDueJobsAfter(60_000)
  await send(ada)
  const { api: admin, path } = await ask(team, { type: 'erase', email: ada })
  await posthorn.runDueJobs()
  assert.equal((await ok(admin.get(path))).status, 'done')
  assert.deepEqual(await searchDatabase(posthorn, [ada]), [])
  const totals = async () => [
    (await ok(api.get('/v1/emails'))).total,
    (await ok(api.get('/v1/emails?status=delivered'))).total,
  ]
  assert.deepEqual(await totals(), [4, 4])
  await posthorn.runDueJobsAfter(60_000)
  assert.deepEqual(await totals(), [4, 4])
})
