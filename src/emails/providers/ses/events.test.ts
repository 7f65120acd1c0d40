import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bounce, startShop, timestamp } from './fixtures/shop.ts'

const { amazon, team, sendOne, post, tell, stateOf } = await startShop()

test('a delivery is one event for all its recipients, with Amazon’s data but not the operator’s account', async () => {
  const email = await sendOne()
  const delivery = { timestamp, recipients: email.to, smtpResponse: '250 ok' }
  const operators = { sendingAccountId: '123456789012', sourceArn: 'arn:aws:ses:…', sourceIp: '192.0.2.1' }
  const tags = { ...(email.mail.tags as object), 'ses:caller-identity': ['root'], campaign: ['spring'] }
  await tell({ eventType: 'Delivery', mail: { ...email.mail, ...operators, tags }, delivery })
  assert.deepEqual(await stateOf(email), { status: 'delivered', types: ['delivered'], blocked: [] })
  const [event] = (await team.api.get(`/v1/emails/${email.id}/events`)).body
  const mail = { ...email.mail, tags: { campaign: ['spring'] } }
  assert.deepEqual(event.data, { notificationType: 'Delivery', eventType: 'Delivery', mail, delivery })
})

test('a delay is recorded, and a later delivery replaces it', async () => {
  const email = await sendOne()
  const delayedRecipients = [{ emailAddress: email.to[0], status: '4.4.1' }]
  await tell({ eventType: 'DeliveryDelay', mail: email.mail, deliveryDelay: { timestamp, delayedRecipients } })
  assert.deepEqual(await stateOf(email), { status: 'delayed', types: ['delivery_delayed'], blocked: [] })
  await tell({ eventType: 'Delivery', mail: email.mail, delivery: { recipients: [email.to[0]] } })
  assert.equal((await stateOf(email)).status, 'delivered')
})

test('a permanent bounce suppresses only the address that bounced, in any case', async () => {
  const email = await sendOne()
  await tell({ eventType: 'Bounce', mail: email.mail, bounce: bounce('Permanent', [email.to[1]!.toLowerCase()]) })
  const blocked = [`${email.to[1]} bounce`]
  assert.deepEqual(await stateOf(email), { status: 'bounced', types: ['bounced'], blocked })
})

test('a transient or undetermined bounce is recorded and suppresses no address', async () => {
  const email = await sendOne()
  await tell({ eventType: 'Bounce', mail: email.mail, bounce: bounce('Transient', email.to, 'f-1') })
  await tell({ eventType: 'Bounce', mail: email.mail, bounce: bounce('Undetermined', [email.to[0]!], 'f-2') })
  assert.deepEqual(await stateOf(email), { status: 'sent', types: ['bounced', 'bounced', 'bounced'], blocked: [] })
})

test('a complaint suppresses the address, and other reports do not', async () => {
  const email = await sendOne()
  const complainedRecipients = [{ emailAddress: `Somebody <${email.to[0]}>` }]
  const complain = (complaintFeedbackType: string | undefined, feedbackId: string) =>
    tell({
      eventType: 'Complaint',
      mail: email.mail,
      complaint: { complainedRecipients, complaintFeedbackType, feedbackId, timestamp },
    })
  await complain('not-spam', 'f-1')
  await complain('auth-failure', 'f-2')
  assert.deepEqual(await stateOf(email), { status: 'sent', types: [], blocked: [] })
  await complain(undefined, 'f-3')
  const blocked = [`${email.to[0]} complaint`]
  assert.deepEqual(await stateOf(email), { status: 'complained', types: ['complained'], blocked })
})

test('a message that Amazon rejects or cannot render bounces without suppressing an address', async () => {
  for (const part of [
    { eventType: 'Reject', reject: { reason: 'Bad content' }, subType: 'ContentRejected' },
    { eventType: 'Rendering Failure', failure: { errorMessage: 'Attribute x is not present' }, subType: 'General' },
  ]) {
    const email = await sendOne()
    const { subType, ...said } = part
    await tell({ ...said, mail: email.mail })
    assert.deepEqual(await stateOf(email), { status: 'bounced', types: ['bounced', 'bounced'], blocked: [] })
    const [{ data }] = (await team.api.get(`/v1/emails/${email.id}/events`)).body
    assert.deepEqual([data.bounce.bounceType, data.bounce.bounceSubType], ['Transient', subType])
    const [{ emailAddress, diagnosticCode }] = data.bounce.bouncedRecipients
    assert.ok(email.to.includes(emailAddress))
    assert.equal(diagnosticCode, said.reject?.reason ?? said.failure?.errorMessage)
  }
})

test('opens and clicks are events and no status, and Send adds nothing', async () => {
  const email = await sendOne()
  await tell({ eventType: 'Send', mail: email.mail, send: {} })
  await tell({ eventType: 'Open', mail: email.mail, open: { timestamp, ipAddress: '192.0.2.1' } })
  await tell({ eventType: 'Click', mail: email.mail, click: { timestamp, link: 'https://a.test/' } })
  await tell({ eventType: 'Click', mail: email.mail, click: { timestamp, link: 'https://a.test/' } })
  assert.deepEqual(await stateOf(email), { status: 'sent', types: ['clicked', 'clicked', 'opened'], blocked: [] })
  const all = (await team.api.get(`/v1/emails/${email.id}/events`)).body as { type: string }[]
  assert.equal(all.filter(({ type }) => type === 'sent').length, 1)
})

test('a repeated event changes nothing, not even a suppression that was lifted meanwhile', async () => {
  const email = await sendOne()
  const payload = { eventType: 'Bounce', mail: email.mail, bounce: bounce('Permanent', [email.to[0]!]) }
  const message = amazon.event(payload)
  assert.equal((await post(message)).status, 200)
  const { data } = (await team.api.get(`/v1/suppressions?search=${email.to[0]}`)).body
  await team.api.delete(`/v1/suppressions/${data[0].id}`)
  await Promise.all([post(message), post(message), post(amazon.event(payload))])
  assert.deepEqual(await stateOf(email), { status: 'bounced', types: ['bounced'], blocked: [] })
})

test('a late delivery does not undo a bounce', async () => {
  const email = await sendOne()
  await tell({ eventType: 'Bounce', mail: email.mail, bounce: bounce('Permanent', [email.to[0]!]) })
  await tell({ eventType: 'Delivery', mail: email.mail, delivery: { recipients: email.to } })
  const { status, types } = await stateOf(email)
  assert.deepEqual([status, types], ['bounced', ['bounced', 'delivered']])
})

test('a bounce with characters that PostgreSQL does not store is recorded', async () => {
  const email = await sendOne()
  const words = bounce('Permanent', [email.to[0]!])
  Object.assign(words.bouncedRecipients[0]!, { diagnosticCode: 'smtp; 550 no\u0000such \ud800 user \udc00 😀' })
  await tell({ eventType: 'Bounce', mail: email.mail, bounce: words })
  assert.equal((await stateOf(email)).status, 'bounced')
  const [event] = (await team.api.get(`/v1/emails/${email.id}/events`)).body
  assert.equal(event.data.bounce.bouncedRecipients[0].diagnosticCode, 'smtp; 550 no\ufffdsuch \ufffd user \ufffd 😀')
})

test('an event whose texts are objects is taken, and what can be read of it is recorded', async () => {
  const email = await sendOne()
  const no = { toString: 1 }
  const headers = [{ name: no, value: no }]
  const bouncedRecipients = [{ emailAddress: no }, no, { emailAddress: email.to[0] }]
  await tell({ eventType: 'Delivery', mail: { tags: { posthorn: [no] }, headers, source: no } })
  await tell({ eventType: 'Delivery', mail: { commonHeaders: { messageId: no } } })
  await tell({ eventType: 'Bounce', mail: email.mail, bounce: { bounceType: 'Transient', bouncedRecipients } })
  await tell({ eventType: 'Reject', mail: email.mail, reject: { reason: no } })
  assert.deepEqual((await stateOf(email)).types, ['bounced', 'bounced', 'bounced'])
})
