import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok, type TestApp } from '../../test/app.ts'
import { insertVerifiedDomain } from '../domains/insert-verified.ts'
import { startAmazon } from '../emails/providers/ses/fixtures/amazon.ts'
import { bounce, timestamp } from '../emails/providers/ses/fixtures/shop.ts'
import { startAmazonSms } from '../sms/providers/aws/fixtures/amazon-sms.ts'
import { openPostOffice } from '../smtp/returned/fixtures/post-office.ts'
import { postfix } from '../smtp/returned/fixtures/reports.ts'
import { ask } from './fixtures/ask.ts'
import { searchDatabase } from './fixtures/search-database.ts'

const amazonSms = await startAmazonSms()

/** Starts an app with a team that sends SMS from a number of the AWS account. */
async function openShop(number: string) {
  const posthorn = await createTestApp(amazonSms.environment)
  const team = await posthorn.team()
  const sender = { name: 'Shop', senderId: number, senderType: 'long_code', country: 'AU' }
  const { id: senderId } = await ok(team.api.post('/v1/sms/senders', sender))
  await ok(team.api.post(`/v1/sms/senders/${senderId}/verify`))
  return { posthorn, team, senderId }
}

function tell(posthorn: TestApp, notification: object) {
  const text = JSON.stringify(amazonSms.notify(notification))
  return ok(posthorn.anyone.post('/providers/aws/sms', text, { 'content-type': 'text/plain' }))
}

test('a report of an SMS that comes after the erasure of its recipient does not bring the number back', async () => {
  const { posthorn, team, senderId } = await openShop('+61400000001')
  const number = '+61491570156'
  const sms = await ok(team.api.post('/v1/sms', { senderId, to: number, body: 'Hello' }))
  const { api, path } = await ask(team, { type: 'erase', phoneNumber: number })
  await posthorn.runDueJobs()
  assert.equal((await ok(api.get(path))).status, 'done')
  const report = {
    ...{ eventType: 'TEXT_DELIVERED', eventTimestamp: posthorn.clock.now().getTime(), isFinal: true },
    ...{ originationPhoneNumber: '+61400000001', destinationPhoneNumber: number, messageId: sms.providerMessageId },
    ...{ messageStatus: 'DELIVERED', context: { posthorn: sms.id }, totalMessagePrice: 0.0384 },
  }
  await tell(posthorn, report)
  assert.equal((await ok(team.api.get(`/v1/sms/${sms.id}`))).status, 'delivered')
  assert.deepEqual(await searchDatabase(posthorn, [number]), [])
})

test('a STOP or START of an erased person leaves the keyed hash, which blocks the number, and stores no other', async () => {
  const { posthorn, team, senderId } = await openShop('+61400000004')
  const number = '+61491570157'
  await ask(team, { type: 'erase', phoneNumber: number })
  await posthorn.runDueJobs()
  for (const [n, messageBody] of ['STOP', 'START'].entries()) {
    const inbound = {
      originationNumber: number,
      destinationNumber: '+61400000004',
      messageBody,
      inboundMessageId: `${n}`,
    }
    await tell(posthorn, inbound)
    const places = await searchDatabase(posthorn, [number])
    // The inbox keeps the message that the person wrote after the erasure.
    assert.deepEqual(places, ['inbox_sms.from_sender'])
  }
  const again = await team.api.post('/v1/sms', { senderId, to: number, body: 'Hello' })
  assert.equal(again.body.error, 'RECIPIENT_OPTED_OUT')
})

test('mail that comes back after the erasure of its recipient does not bring the address back', async () => {
  const { posthorn, send, handBack } = await openPostOffice()
  const team = await posthorn.team()
  const ada = 'ada@people.test'
  const { id, returnAddressOf } = await send(team, { to: ['bob@people.test', ada] })
  const { api, path } = await ask(team, { type: 'erase', email: ada })
  await posthorn.runDueJobs()
  assert.equal((await ok(api.get(path))).status, 'done')
  const to = returnAddressOf(ada)
  await handBack(to, postfix({ to, recipient: ada, said: `host mx said: 550 5.1.1 <${ada}>: unknown user` }))
  assert.deepEqual(await searchDatabase(posthorn, [ada]), [])
  const { data } = await ok(team.api.get('/v1/suppressions'))
  assert.ok(
    data.every(({ email }: { email: string }) => email !== 'erased'),
    JSON.stringify(data),
  )
  assert.deepEqual((await ok(team.api.get(`/v1/emails/${id}`))).to, ['bob@people.test', 'erased'])
})

test('events of Amazon about the others of an email do not bring an erased recipient back', async () => {
  const amazon = await startAmazon()
  const posthorn = await createTestApp(amazon.environment)
  const team = await posthorn.team()
  const { app } = posthorn
  const keys = await app.generateDkimKeys()
  await app.transaction((tx) => insertVerifiedDomain(tx, app.keyring, team.id, 'mail.test', keys))
  const [ada, bob] = ['Ada@people.test', 'bob@people.test']
  const sent = await ok(
    team.api.post('/v1/emails', { from: 'shop@mail.test', to: [bob, ada], subject: 'x', text: 'y' }),
  )
  const tags = Object.fromEntries(amazon.sent.at(-1)!.EmailTags.map(({ Name, Value }) => [Name, [Value]]))
  const { api, path } = await ask(team, { type: 'erase', email: ada })
  await posthorn.runDueJobs()
  assert.equal((await ok(api.get(path))).status, 'done')
  const headers = [{ name: 'To', value: `${bob}, Ada <${ada}>` }]
  const mail = { messageId: '0100-1', destination: [bob, ada], tags, headers, commonHeaders: { to: [`Ada <${ada}>`] } }
  for (const told of [
    { eventType: 'Delivery', delivery: { timestamp, recipients: [bob, ada], smtpResponse: '250 ok' } },
    { eventType: 'Bounce', bounce: bounce('Permanent', [ada], 'f-1') },
    { eventType: 'Open', open: { timestamp, ipAddress: '192.0.2.1' } },
    // The call was for another recipient of the email. The headers name all of them.
    { eventType: 'Click', click: { timestamp, link: 'https://a.test/' }, mail: { ...mail, destination: [bob] } },
  ]) {
    const text = JSON.stringify(amazon.event({ mail, ...told }))
    await ok(posthorn.anyone.post('/providers/ses/events', text, { 'content-type': 'text/plain' }))
  }
  const events = (await ok(team.api.get(`/v1/emails/${sent.id}/events`))) as { type: string }[]
  assert.deepEqual(events.map(({ type }) => type).sort(), ['clicked', 'delivered', 'opened', 'sent'])
  assert.deepEqual(await searchDatabase(posthorn, [ada]), [])
})
