import assert from 'node:assert/strict'
import { test } from 'node:test'
import { discardJob, retryJob } from '../../../platform/jobs/discarded/retry.ts'
import { createWorld } from './fixtures/world.ts'

const world = await createWorld()
const sender = await world.sender()
const hourMs = 3_600_000

const later = (verb: string) => (verb === 'RCPT' ? '451 4.7.1 Greylisted, come again\r\n' : undefined)

/** Leaves the delivery of an email as a process that was killed does, whose lease has run out. */
async function leaveBehind(id: string) {
  const { app } = world.posthorn
  const left = { lease_token: crypto.randomUUID(), run_at: app.clock.now() }
  await app.db.updateTable('jobs').set(left).where('key', '=', `${id}/0`).execute()
  await world.runDueJobs()
}

test('a recipient whom a killed process may have reached does not bounce after a day of refusals', async () => {
  const host = await world.script('127.0.2.12', later)
  world.domainAt('killed.test', '127.0.2.12')
  const sent = await sender.send('a@killed.test')
  await leaveBehind(sent.id)
  await world.pass(5000)
  await world.pass(25 * hourMs)
  assert.equal(host.commands.filter((line) => line.startsWith('RCPT')).length, 3)
  const story = await sender.story(sent.id)
  assert.ok(!story.includes('bounced'), story.join())
  assert.deepEqual(story.slice(-2), ['outcome_unknown', 'sent'])
})

test('a recipient whom a killed process may have reached does not bounce when the address is suppressed', async () => {
  await world.script('127.0.2.13', later)
  world.domainAt('killed-too.test', '127.0.2.13')
  const sent = await sender.send('a@killed-too.test')
  await leaveBehind(sent.id)
  await sender.team.api.post('/v1/suppressions', { email: 'a@killed-too.test' })
  await world.pass(5000)
  const story = await sender.story(sent.id)
  assert.ok(!story.includes('bounced'), story.join())
  assert.deepEqual(story.slice(-2), ['outcome_unknown', 'sent'])
})

test('the outcome of a delivery that a killed process had stays unknown when its job is discarded, and when it runs again', async () => {
  await world.script('127.0.2.14', later)
  world.domainAt('killed-again.test', '127.0.2.14')
  const sent = await sender.send('a@killed-again.test')
  const { app } = world.posthorn
  const left = { lease_token: crypto.randomUUID(), run_at: new Date(app.clock.now().getTime() - 1) }
  await world.runDueJobs()
  await app.db.updateTable('jobs').set(left).where('key', '=', `${sent.id}/0`).execute()
  const id = await world.deliveryOf(sent.id)
  await discardJob(app, id)
  assert.deepEqual((await sender.story(sent.id)).slice(-2), ['outcome_unknown', 'sent'])
  await retryJob(app, id)
  await sender.team.api.post('/v1/suppressions', { email: 'a@killed-again.test' })
  await world.pass(5000)
  const story = await sender.story(sent.id)
  assert.ok(!story.includes('bounced'), story.join())
})
