import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowTest } from '../../../../test/slow.ts'
import { bounce, startShop } from './fixtures/shop.ts'

const { amazon, proxy, posthorn, team, addDomain, sendOne, lastTags, post, tell, stateOf } = await startShop()

test('an address that the email was not sent to is neither suppressed nor recorded', async () => {
  const email = await sendOne()
  await tell({ eventType: 'Bounce', mail: email.mail, bounce: bounce('Permanent', ['stranger@b.test']) })
  const state = await stateOf({ ...email, to: ['stranger@b.test'] })
  assert.deepEqual(state, { status: 'sent', types: [], blocked: [] })
})

test('an identity’s notification, which has no tags, is matched by the Message-ID among its headers', async () => {
  const email = await sendOne()
  const headers = [{ name: 'Message-ID', value: `<${email.id}@mail.test>` }]
  const mail = { ...email.mail, tags: undefined, headers, source: 'Ada <ada@mail.test>' }
  const forged = { ...mail, source: 'mallory@other.test' }
  await tell({ notificationType: 'Bounce', mail: forged, bounce: bounce('Permanent', [email.to[1]!]) })
  await tell({ notificationType: 'Bounce', mail, bounce: bounce('Permanent', [email.to[0]!]) })
  // The configuration set publishes the same bounce.
  await tell({ eventType: 'Bounce', mail: email.mail, bounce: bounce('Permanent', [email.to[0]!]) })
  const { status, types } = await stateOf(email)
  assert.deepEqual([status, types], ['bounced', ['bounced']])
})

test('an event of a foreign email or with a foreign tag is accepted and not recorded', async () => {
  const email = await sendOne()
  const [tag] = email.mail.tags.posthorn!
  const flipped = tag!.slice(0, -1) + (tag!.endsWith('A') ? 'B' : 'A')
  for (const tags of [{ posthorn: [flipped] }, { posthorn: ['x'] }, { posthorn: [] }, {}, null, 5]) {
    await tell({ eventType: 'Bounce', mail: { ...email.mail, tags }, bounce: bounce('Permanent', email.to) })
  }
  const headers = [{ name: 'Message-ID', value: `<${team.id}@mail.test>` }]
  await tell({ notificationType: 'Bounce', mail: { headers }, bounce: bounce('Permanent', email.to) })
  assert.deepEqual(await stateOf(email), { status: 'sent', types: [], blocked: [] })
})

slowTest('no content of a signed message causes a server error', async () => {
  const { mail } = await sendOne()
  const odd = [null, 5, 'x', [], {}, { a: 1 }, [null], [{ emailAddress: null }], [5], '__proto__']
  for (const value of odd) {
    for (const [eventType, part, list] of [
      ['Bounce', 'bounce', 'bouncedRecipients'],
      ['Delivery', 'delivery', 'recipients'],
      ['Complaint', 'complaint', 'complainedRecipients'],
      ['DeliveryDelay', 'deliveryDelay', 'delayedRecipients'],
    ] as const) {
      await tell({ eventType, mail, [part]: value })
      await tell({ eventType, mail, [part]: { [list]: value, feedbackId: value } })
      await tell({ eventType, mail: value, [part]: {} })
    }
    await tell({ eventType: value, mail })
    const { status } = await post(amazon.sign({ Message: JSON.stringify(value) }))
    assert.equal(status, 200)
  }
  for (const Message of ['', 'no JSON', '"\\u0000"', `${'['.repeat(50_000)}`, '{"eventType":"constructor","mail":{}}'])
    assert.equal((await post(amazon.sign({ Message }))).status, 200)
})

test('a delivery that arrives before its email is recorded as sent is kept', async () => {
  const usual = amazon.answer
  amazon.answer = async (request, response) => {
    await tell({
      eventType: 'Delivery',
      mail: { messageId: 'early', tags: lastTags() },
      delivery: { recipients: ['early@b.test'] },
    })
    usual(request, response)
  }
  const email = { from: 'ada@mail.test', to: ['early@b.test'], subject: 'x', text: 'y' }
  const { body } = await team.api.post('/v1/emails', email)
  amazon.answer = usual
  const state = await stateOf({ id: body.id, to: email.to })
  assert.deepEqual(state, { status: 'delivered', types: ['delivered'], blocked: [] })
})

test('an email whose hand-over was lost is not repeated once Amazon reports its delivery', async () => {
  const usual = amazon.answer
  amazon.answer = (request) => void request.socket.destroy()
  const domainId = await addDomain('lost.test')
  const to = ['lost@b.test']
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 60_000).toISOString()
  const email = { from: 'ada@lost.test', to, subject: 'x', text: 'y', scheduledAt }
  const { body } = await team.api.post('/v1/emails', email)
  await posthorn.runDueJobsAfter(61_000)
  amazon.answer = usual
  const asked = amazon.sent.length
  await tell({ eventType: 'Delivery', mail: { messageId: 'lost', tags: lastTags() }, delivery: { recipients: to } })
  await posthorn.runDueJobsAfter(600_000)
  assert.equal(amazon.sent.length, asked)
  const state = await stateOf({ id: body.id, to })
  assert.deepEqual(state, { status: 'delivered', types: ['delivered', 'outcome_unknown'], blocked: [] })
  // The email is no longer under way.
  assert.equal((await team.api.delete(`/v1/domains/${domainId}`)).status, 200)
})

test('while the database is down Amazon is asked to repeat, and the repeat is recorded', async () => {
  const email = await sendOne()
  const message = amazon.event({ eventType: 'Delivery', mail: email.mail, delivery: { recipients: [email.to[0]] } })
  proxy.cut()
  const { status, headers } = await post(message)
  proxy.mend()
  assert.equal(status, 503)
  assert.ok(headers['retry-after'])
  assert.equal((await post(message)).status, 200)
  assert.deepEqual(await stateOf(email), { status: 'delivered', types: ['delivered'], blocked: [] })
})
