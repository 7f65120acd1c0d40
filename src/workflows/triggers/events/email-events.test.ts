import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, type TestTeam } from '../../../../test/app.ts'
import { pluck, pluckRows } from '../../../../test/pluck.ts'
import { eventsOf, person, sendTracked, trackingTeam } from '../../../emails/tracking/fixtures/tracked-mail.ts'
import { activate } from '../fixtures/active.ts'

const posthorn = await createTestApp()

const on = (events: string[], domain_id?: string) => ({ type: 'email_event', config: { events, domain_id } })

async function send({ api, domain }: TestTeam, to: string[] = ['Ada <ada@people.test>'], fields: object = {}) {
  const { body } = await api.post('/v1/emails', { from: `a@${domain}`, to, subject: 'Hi', text: 'Hi', ...fields })
  await posthorn.runDueJobs()
  return body.id as string
}

test('the events of an email fire by their short and their long names, with their details and the contact', async () => {
  const team = await posthorn.team()
  const { body: contact } = await team.api.post('/v1/contacts', { email: 'Ada@people.test' })
  const short = await activate(team, on(['sent', 'delivered']))
  const long = await activate(team, on(['email.delivered']))
  const emailId = await send(team)
  const { body: events } = await team.api.get(`/v1/emails/${emailId}/events`)
  const delivered = events.find(({ type }: { type: string }) => type === 'delivered')
  const expected = { type: 'email.delivered', emailId, data: delivered.data, contact }
  assert.ok(delivered.data)
  assert.deepEqual(await long.triggerData(), [expected])
  const both = await short.triggerData()
  assert.deepEqual(both.map(({ type }) => type).sort(), ['email.delivered', 'email.sent'])
  assert.deepEqual(
    both.find(({ type }) => type === 'email.delivered'),
    expected,
  )
})

test('the contact is the recipient of the event', async () => {
  const team = await posthorn.team()
  const { body: bounced } = await team.api.post('/v1/contacts', { email: 'bounce@people.test' })
  await team.api.post('/v1/contacts', { email: 'ada@people.test' })
  const workflow = await activate(team, on(['bounced']))
  await send(team, ['ada@people.test', 'bounce@people.test'])
  const [first, ...others] = await workflow.triggerData()
  assert.deepEqual([first.contact.id, others], [bounced.id, []])
  assert.equal(first.data.bounce.bouncedRecipients[0].emailAddress, 'bounce@people.test')
})

test('without a contact of that address, the contact is null', async () => {
  const team = await posthorn.team()
  const workflow = await activate(team, on(['delivered']))
  await send(team, ['nobody@people.test'])
  assert.deepEqual(pluck(await workflow.triggerData(), 'contact'), [null])
})

test('a bounce, a complaint and a delay fire too', async () => {
  const team = await posthorn.team()
  const workflow = await activate(team, on(['bounced', 'complained', 'delivery_delayed']))
  for (const name of ['bounce', 'complaint', 'delayed']) await send(team, [`${name}@people.test`])
  assert.deepEqual(pluck(await workflow.triggerData(), 'type'), [
    'email.bounced',
    'email.complained',
    'email.delivery_delayed',
  ])
})

test('with a domain, only events of emails from it fire', async () => {
  const team = await posthorn.team()
  const name = `second-${team.domain}`
  const { body: second } = await team.api.post('/v1/domains', { name })
  await team.api.post(`/v1/domains/${second.id}/verify`)
  const workflow = await activate(team, on(['delivered'], second.id))
  await send(team)
  const emailId = await send(team, ['ada@people.test'], { from: `a@${name}` })
  assert.deepEqual(pluck(await workflow.triggerData(), 'emailId'), [emailId])
})

test('opening a tracked email fires, and so does a click', async () => {
  const team = await trackingTeam(posthorn)
  const workflow = await activate(team, on(['opened', 'clicked']))
  const email = await sendTracked(posthorn, team, '<body><a href="https://shop.example/">Shop</a></body>')
  await posthorn.anyone.get(email.pixel, person)
  await eventsOf(posthorn, team, email.id, 'opened', 1)
  await posthorn.runDueJobs()
  await posthorn.anyone.get(email.links[0]!, person)
  await eventsOf(posthorn, team, email.id, 'clicked', 1)
  await posthorn.runDueJobs()
  assert.deepEqual(pluckRows(await workflow.triggerData(), 'type', 'emailId'), [
    ['email.opened', email.id],
    ['email.clicked', email.id],
  ])
})

test('an email to fifty recipients that bounces fires for each of them', async () => {
  const team = await posthorn.team()
  const workflow = await activate(team, on(['bounced']))
  const to = (batch: number) => Array.from({ length: 50 }, (_, index) => `bounce-${batch}-${index}@people.test`)
  await Promise.all([1, 2].map((batch) => send(team, to(batch))))
  await posthorn.runDueJobs()
  const addresses = (await workflow.triggerData()).map(({ data }) => data.bounce.bouncedRecipients[0].emailAddress)
  assert.equal(new Set(addresses).size, 100)
})
