import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestTeam } from '../../../test/app.ts'
import { openPostOffice } from './fixtures/post-office.ts'
import { complaint, postfix, qmail } from './fixtures/reports.ts'

const { posthorn, sink, send, handBack, known } = await openPostOffice()
const to = ['ada@example.com', 'bob@example.com']
const bcc = ['eve@example.com']
const all = [...to, ...bcc]

/** Sends an email to three recipients. Returns the facts that a forger among them knows. */
async function threeOf(team: TestTeam) {
  const { id, returnAddressOf } = await send(team, { to, bcc })
  return { id, own: returnAddressOf('eve@example.com') }
}

test('each recipient gets the same message in a separate transaction from a separate return address', async () => {
  const team = await posthorn.team()
  const { id } = await threeOf(team)
  const got = sink.messages.filter(({ messageId }) => messageId.includes(id))
  assert.deepEqual(got.map((message) => message.to).sort(), all.map((address) => [address]).sort())
  assert.equal(new Set(got.map(({ from }) => from)).size, 3)
  assert.equal(new Set(got.map(({ raw }) => raw.toString())).size, 1)
})

test('a recipient cannot have the others suppressed by a bounce or a complaint that names them', async () => {
  const team = await posthorn.team()
  const { id, own } = await threeOf(team)
  const groups = to.map((address) => `Final-Recipient: rfc822; ${address}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n`)
  const forged = [
    postfix({ to: own, recipient: 'ada@example.com' }),
    qmail({ to: own, recipient: 'bob@example.com' }),
    `Message-ID: <both@a.example>\r\nContent-Type: message/delivery-status\r\n\r\n${groups.join('')}`,
    complaint({ to: own, fields: 'Original-Rcpt-To: <ada@example.com>\nOriginal-Rcpt-To: <bob@example.com>\n' }),
    complaint({ to: own, original: `Return-Path: <${own}>\nTo: ${to.join(', ')}\nSubject: Hello` }),
  ]
  for (const raw of forged) assert.match(await handBack(own, raw), /^250 /)
  await handBack(
    'abuse@a.test',
    complaint({ to: own, fields: `Original-Mail-From: <${own}>\nRemoval-Recipient: ada@example.com` }),
  )
  const { suppressed } = await known(team, id)
  assert.deepEqual(
    suppressed.map((entry) => entry.split(' ')[0]),
    ['eve@example.com'],
  )
  assert.equal(
    (await team.api.post('/v1/emails', { from: `a@${team.domain}`, to, subject: 'x', text: 'y' })).status,
    200,
  )
})

test('a return address is refused after 14 days, and a forged one at once', async () => {
  const team = await posthorn.team()
  const { id, own } = await threeOf(team)
  const forged = own.replace(/\.[a-z2-7]{2}/, '.aa')
  assert.notEqual(forged, own)
  const unsigned = own.replace(/\.[a-z2-7]{22}@/, '@')
  for (const address of [forged, unsigned]) {
    assert.match(await handBack(address, postfix({ to: own, recipient: 'ada@example.com' })), /^550 5\.1\.1 /)
  }
  posthorn.clock.advance(14 * 24 * 3_600_000 + 1)
  assert.match(await handBack(own, postfix({ to: own, recipient: 'eve@example.com' })), /^550 5\.1\.1 .* 14 days/)
  const late = complaint({ to: own, fields: `Original-Mail-From: <${own}>` })
  assert.match(await handBack('abuse@a.test', late), /^550 5\.7\.1 /)
  assert.deepEqual((await known(team, id)).events, ['sent'])
})

test('no event, webhook or response reveals a return address, even if another server quotes it', async () => {
  const team = await posthorn.team()
  const webhook = { endpointUrl: 'https://hooks.invalid/', events: ['email.sent', 'email.bounced'] }
  const { body } = await team.api.post('/v1/webhooks', webhook)
  const { id, own } = await threeOf(team)
  const said = `550 5.1.1 <${own}>: nobody here`
  assert.match(await handBack(own, postfix({ to: own, recipient: 'eve@example.com', said })), /^250 /)
  const answers = [await team.api.get(`/v1/emails/${id}`), await team.api.get(`/v1/emails/${id}/events`)]
  const deliveries = `/v1/webhooks/${body.id}/deliveries`
  for (const delivery of (await team.api.get(deliveries)).body.data) {
    answers.push(await team.api.get(`${deliveries}/${delivery.id}`))
  }
  assert.equal(answers.filter(({ text }) => text.includes('nobody here')).length, 2)
  for (const { text } of answers) assert.doesNotMatch(text, /bounce\+[0-9a-f]{32}\.[a-z2-7]/)
})

test('recipients that the relay refuses, permanently or temporarily, do not prevent delivery to the others', async () => {
  const team = await posthorn.team()
  const { id } = await send(team, { to: ['ada@example.com', 'refused@example.com'] })
  const { status, events, suppressed } = await known(team, id)
  assert.deepEqual([status, events, suppressed], ['bounced', ['sent', 'bounced'], ['refused@example.com bounce']])
  const email = {
    from: `a@${team.domain}`,
    to: ['refused1@example.com', 'refused2@example.com'],
    subject: 'x',
    text: 'y',
  }
  assert.equal((await team.api.post('/v1/emails', email)).body.status, 'bounced')
})
