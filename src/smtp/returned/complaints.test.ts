import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../../test/app.ts'
import { openPostOffice } from './fixtures/post-office.ts'
import { complaint } from './fixtures/reports.ts'

const dayMs = 24 * 3_600_000
const { posthorn, send, handBack, known } = await openPostOffice()

test('a complaint sent to a return address suppresses that address’s recipient', async () => {
  const team = await posthorn.team()
  const { id, returnAddressOf } = await send(team, { to: ['ada@example.com', 'bob@example.com'] })
  const returnAddress = returnAddressOf('bob@example.com')
  const fields = 'Original-Rcpt-To: redacted@example.com\nOriginal-Mail-From: <someone@elsewhere.example>\n'
  assert.match(await handBack(returnAddress, complaint({ to: returnAddress, fields })), /^250 /)
  const { status, details, suppressed } = await known(team, id)
  assert.deepEqual([status, suppressed], ['complained', ['bob@example.com complaint']])
  assert.equal(details.complaint.complaintFeedbackType, 'abuse')
  assert.deepEqual(details.complaint.complainedRecipients, [{ emailAddress: 'bob@example.com' }])
})

const ways: [where: string, change: (address: string) => { fields?: string; original?: string }][] = [
  [
    'in Original-Mail-From',
    (address) => ({ fields: `Original-Mail-From: <${address}>\nRemoval-Recipient: ada@example.com` }),
  ],
  ['in the returned Return-Path', (address) => ({ original: `Return-Path: <${address}>\nSubject: Hello` })],
]
for (const [where, change] of ways) {
  test(`a complaint sent to abuse@ is assigned by the return address ${where}`, async () => {
    const team = await posthorn.team()
    const { id, returnAddress } = await send(team)
    const abuse = `abuse@${team.domain}`
    assert.match(await handBack(abuse, complaint({ to: abuse, ...change(returnAddress) })), /^250 /)
    const { status, suppressed } = await known(team, id)
    assert.deepEqual([status, suppressed], ['complained', ['ada@example.com complaint']])
  })
}

test('a complaint sent to abuse@ is assigned by our Message-ID, to the email’s only recipient or the one it names', async () => {
  const team = await posthorn.team()
  const abuse = `abuse@${team.domain}`
  const original = (id: string) => `Message-ID: <${id}@${team.domain}>\nSubject: Hello`
  const [one, two] = [await send(team), await send(team, { to: ['bob@example.com', 'eve@example.com'] })]
  assert.match(await handBack(abuse, complaint({ to: abuse, original: original(one.id) })), /^250 /)
  const unnamed = await handBack(abuse, complaint({ to: abuse, original: original(two.id) }))
  assert.match(unnamed, /^250 /)
  assert.deepEqual((await known(team, two.id)).events, ['sent'])
  const fields = 'Original-Rcpt-To: <Eve@example.com>'
  assert.match(await handBack(abuse, complaint({ to: abuse, fields, original: original(two.id) })), /^250 /)
  const statuses = [(await known(team, one.id)).status, (await known(team, two.id)).status]
  assert.deepEqual(statuses, ['complained', 'complained'])
  const { suppressed } = await known(team, one.id)
  assert.deepEqual(suppressed.toSorted(), ['ada@example.com complaint', 'eve@example.com complaint'])
})

test('a complaint that names the Message-ID counts for 14 days from the sending, however long before it was scheduled', async () => {
  const team = await posthorn.team()
  const abuse = `abuse@${team.domain}`
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 20 * dayMs).toISOString()
  const email = { from: `hello@${team.domain}`, subject: 'Hello', text: 'It works.', scheduledAt }
  const [complained, late] = await Promise.all(
    ['ada@example.com', 'bob@example.com'].map((to) => ok(team.api.post('/v1/emails', { ...email, to: [to] }))),
  )
  const complain = ({ id }: { id: string }) => {
    return handBack(abuse, complaint({ to: abuse, original: `Message-ID: <${id}@${team.domain}>` }))
  }
  await posthorn.runDueJobsAfter(20 * dayMs)
  posthorn.clock.advance(13 * dayMs)
  assert.match(await complain(complained), /^250 /)
  posthorn.clock.advance(2 * dayMs)
  assert.match(await complain(late), /^250 /)
  assert.deepEqual((await known(team, complained.id)).suppressed, ['ada@example.com complaint'])
  assert.deepEqual((await known(team, late.id)).events.slice(-1), ['sent'])
})

test('a complaint sent to abuse@ without a return address, or with a forged one, is refused', async () => {
  const team = await posthorn.team()
  const { id, returnAddress } = await send(team)
  const forged = returnAddress.replace(/\.[a-z2-7]{22}@/, `.${'a'.repeat(22)}@`)
  for (const fields of [
    '',
    `Original-Mail-From: <${forged}>`,
    `Original-Mail-From: bounce+${id}@send.${team.domain}`,
  ]) {
    const reply = await handBack(`abuse@${team.domain}`, complaint({ to: 'abuse@a.test', fields }))
    assert.match(reply, /^550 5\.7\.1 This address takes only complaints/)
  }
  assert.deepEqual((await known(team, id)).events, ['sent'])
})

test('reports of mail that was not spam, and of failed signatures, are not complaints', async () => {
  const team = await posthorn.team()
  const { id, returnAddress } = await send(team)
  for (const type of ['not-spam', 'auth-failure', 'Not-Spam (moved by the reader)', '(dkim) auth-failure']) {
    assert.match(await handBack(returnAddress, complaint({ to: returnAddress, type })), /^250 /)
  }
  assert.deepEqual((await known(team, id)).events, ['sent'])
})
