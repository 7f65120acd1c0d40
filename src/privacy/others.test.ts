import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, ok } from '../../test/app.ts'
import { pluckRows } from '../../test/pluck.ts'
import { slowTest } from '../../test/slow.ts'
import { activeSender } from '../sms/fixtures/sender.ts'
import { newNumber, openShop, webhookSecret } from '../whatsapp/fixtures/shop.ts'
import { makeWorkflow } from '../workflows/fixtures/make.ts'
import { chainOf } from '../workflows/fixtures/workflow.ts'
import { ask } from './fixtures/ask.ts'

const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret })
const erasedOnce = { removed: 1, left: 0 }

test('an execution with characters that PostgreSQL refuses in texts is exported and erased', async () => {
  const team = await posthorn.team()
  const ada = 'ada@people.test'
  const source = 'return [input.trigger.email, "\\u0000", "\\ud83d"]'
  const workflow = await makeWorkflow(team, chainOf([{ type: 'code', config: { source } }]))
  const id = await workflow.run(posthorn, { email: ada })
  assert.equal((await workflow.get(id)).status, 'completed')
  for (const type of ['export', 'erase']) {
    const { api, path } = await ask(team, { type, email: ada })
    await posthorn.runDueJobs()
    const { status, counts } = await ok(api.get(path))
    assert.equal(status, 'done')
    if (type === 'erase')
      assert.deepEqual([counts.executionNodes, counts.executions], [erasedOnce, { removed: 0, left: 0 }])
  }
  assert.deepEqual(await workflow.executions(), [])
})

slowTest('people whose address only ends or begins like the erased one stay, wherever they are named', async () => {
  const team = await posthorn.team()
  const { api, domain } = team
  const ada = 'brien@people.test'
  const before = [..."!#$&'*+-/=?^_`{|}~%.x9"].map((letter) => `o${letter}${ada}`)
  const others = [
    ...before,
    ...["'", '/', '=', '{'].map((letter) => `${letter}${ada}`),
    `${ada}s`,
    `${ada}.au`,
    `${ada}-x`,
  ]
  await ok(api.post('/v1/webhooks', { endpointUrl: 'https://hooks.example.com/', events: ['email.sent'] }))
  for (const email of [ada, ...others]) {
    await ok(api.post('/v1/contacts', { email }))
    const text = `Hello ${email}, see https://shop.test/leave?to=${encodeURIComponent(email)}`
    const html = `<p>Hello ${email.replaceAll('&', '&amp;').replaceAll("'", '&#39;')}</p>`
    const headers = { 'X-Person': email }
    await ok(api.post('/v1/emails', { from: `a@${domain}`, to: [email], subject: `To ${email}`, text, html, headers }))
  }
  const workflow = await makeWorkflow(team, chainOf([]))
  await workflow.run(posthorn, { emails: others, [others[0]!]: 1 })
  const read = async () => {
    const texts = await Promise.all(
      ['contacts', 'emails', 'inbox'].map(async (list) => (await api.get(`/v1/${list}?limit=100`)).text),
    )
    const { body } = await api.get('/v1/emails?limit=100')
    for (const { id } of body.data) texts.push((await api.get(`/v1/emails/${id}`)).text)
    texts.push((await api.get(workflow.executionsPath)).text)
    const { rows } = await sql`select payload from webhook_deliveries where team_id = ${team.id}`.execute(
      posthorn.app.db,
    )
    return [...texts, JSON.stringify(rows)].join('\n')
  }
  const timesIn = (text: string) => others.map((other) => text.split(JSON.stringify(other).slice(1, -1)).length - 1)
  const known = timesIn(await read())
  assert.ok(known.every((times) => times >= 6))
  const { api: admin, path } = await ask(team, { type: 'erase', email: ada.toUpperCase() })
  await posthorn.runDueJobs()
  const { body } = await admin.get(path)
  assert.deepEqual([body.counts.contacts, body.counts.emails], [erasedOnce, erasedOnce])
  assert.deepEqual(timesIn(await read()), known)
  assert.equal((await api.get('/v1/contacts?limit=100')).body.data.length, others.length)
})

test('another contact with the phone number of an erased person stays, without the number', async () => {
  const team = await posthorn.team()
  const phoneNumber = newNumber()
  const ada = await ok(team.api.post('/v1/contacts', { email: 'ada@people.test', phoneNumber }))
  const bob = await ok(team.api.post('/v1/contacts', { email: 'bob@people.test', phoneNumber }))
  const exported = await ask(team, { type: 'export', email: 'ada@people.test' })
  const erasure = await ask(team, { type: 'erase', email: 'ada@people.test' })
  await posthorn.runDueJobs()
  assert.deepEqual((await exported.api.get(exported.path)).body.counts.contacts, { found: 1 })
  assert.equal((await erasure.api.get(erasure.path)).body.status, 'done')
  assert.equal((await team.api.get(`/v1/contacts/${ada.id}`)).status, 404)
  const { body } = await team.api.get(`/v1/contacts/${bob.id}`)
  assert.deepEqual([body.email, body.phoneNumber], ['bob@people.test', null])
})

test('an erasure by a number that contacts share removes the number and keeps the contacts', async () => {
  const team = await posthorn.team()
  const phoneNumber = newNumber()
  for (const email of ['ada@people.test', 'bob@people.test'])
    await ok(team.api.post('/v1/contacts', { email, phoneNumber }))
  const { api, path } = await ask(team, { type: 'erase', phoneNumber })
  await posthorn.runDueJobs()
  assert.equal((await api.get(path)).body.status, 'done')
  const { body } = await team.api.get('/v1/contacts')
  assert.deepEqual(pluckRows(body.data, 'email', 'phoneNumber'), [
    ['bob@people.test', null],
    ['ada@people.test', null],
  ])
})

slowTest('deliveries of each webhook are read to the last page', async () => {
  const team = await posthorn.team()
  const ada = 'ada@deliveries.test'
  const ids = await Promise.all(
    ['a', 'b', 'c'].map(async (path) => {
      const endpointUrl = `https://hooks.example.com/${path}`
      return (await ok(team.api.post('/v1/webhooks', { endpointUrl, events: ['email.sent'] }))).id
    }),
  )
  await sql`
    insert into webhook_deliveries (team_id, webhook_id, id, event_type, status, payload, created_at)
    select ${team.id}, webhook_id, gen_random_uuid(), 'email.sent', 'delivered', json_build_object('to', ${ada}::text), now()
    from unnest(${[ids[0], ids[2]]}::uuid[]) as webhook_id, generate_series(1, 550)
  `.execute(posthorn.app.db)
  const { api: admin, path } = await ask(team, { type: 'erase', email: ada })
  await posthorn.runDueJobs()
  assert.deepEqual((await admin.get(path)).body.counts.webhookDeliveries, { removed: 1100, left: 0 })
})

slowTest('a number is one number with or without the national prefix, whichever of the two is erased', async () => {
  for (const [stored, erased] of [
    ['+610491570166', '+61491570166'],
    ['+61491570167', '+610491570167'],
  ]) {
    const team = await posthorn.team()
    const ada = await ok(team.api.post('/v1/contacts', { email: 'ada@people.test', phoneNumber: stored }))
    await ok(team.api.post('/v1/sms/opt-outs', { phoneNumber: stored }))
    await ask(team, { type: 'erase', phoneNumber: erased })
    await posthorn.runDueJobs()
    assert.equal((await team.api.get(`/v1/contacts/${ada.id}`)).status, 404)
    const { data: blocked } = await ok(team.api.get('/v1/sms/opt-outs'))
    assert.equal(blocked.length, 1)
    assert.match(blocked[0].phoneNumber, /^erased:/)
    const senderId = await activeSender(team)
    const shop = await openShop(posthorn, team)
    const template = await shop.template('Hello')
    for (const to of [stored, erased]) {
      assert.equal((await team.api.post('/v1/sms', { senderId, to, body: 'Hello' })).status, 403, to)
      assert.equal((await shop.send({ to, templateId: template.id })).body.name, 'recipient_erased', to)
    }
  }
})

test("another customer's conversation in which the erased person is named stays with its other messages", async () => {
  const shop = await openShop(posthorn)
  const bob = newNumber()
  await shop.write(bob, 'Hi')
  await shop.write(bob, 'Please write to ada@people.test')
  await ask(shop.team, { type: 'erase', email: 'ada@people.test' })
  await posthorn.runDueJobs()
  const { data } = await ok(shop.api.get('/v1/whatsapp/conversations'))
  assert.deepEqual([data.length, data[0].phoneNumber, data[0].lastMessagePreview], [1, bob, 'Hi'])
  assert.equal((await shop.send({ to: bob, body: 'Hello' })).status, 200)
  assert.ok(!JSON.stringify(await ok(shop.api.get('/v1/whatsapp/conversations'))).includes('ada@'))
})

test('a contact of a test key does not say who a person is', async () => {
  const team = await posthorn.team()
  const trial = posthorn.as(
    (await ok(team.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' }))).key,
  )
  const [own, foreign] = [newNumber(), newNumber()]
  const ada = await ok(team.api.post('/v1/contacts', { email: 'ada@people.test', phoneNumber: own }))
  const bob = await ok(team.api.post('/v1/contacts', { email: 'bob@people.test', phoneNumber: foreign }))
  await ok(trial.post('/v1/contacts', { email: 'ada@people.test', phoneNumber: foreign }))
  await ok(trial.post('/v1/contacts', { email: 'trial@people.test', phoneNumber: own }))
  await ask(team, { type: 'erase', phoneNumber: own })
  await posthorn.runDueJobs()
  assert.equal((await team.api.get(`/v1/contacts/${ada.id}`)).status, 404)
  assert.equal((await team.api.get(`/v1/contacts/${bob.id}`)).body.phoneNumber, foreign)
  assert.equal((await team.api.get('/v1/sms/opt-outs')).body.data.length, 1)
})

test('an active workflow that names an erased person goes on without the address', async () => {
  const team = await posthorn.team()
  const config = { mode: 'template', expression: 'For ada@people.test' }
  const workflow = await makeWorkflow(team, chainOf([{ type: 'transform_data', config }]))
  const outputs = async (id: string) => JSON.stringify((await workflow.get(id)).nodes)
  assert.match(await outputs(await workflow.run(posthorn)), /ada@people.test/)
  await ask(team, { type: 'erase', email: 'ada@people.test' })
  await posthorn.runDueJobs()
  posthorn.clock.advance(10_000)
  const later = await outputs(await workflow.run(posthorn))
  assert.match(later, /For erased/)
  assert.doesNotMatch(later, /ada@people.test/)
})
