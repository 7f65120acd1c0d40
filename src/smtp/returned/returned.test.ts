import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask } from '../../privacy/fixtures/ask.ts'
import { openPostOffice } from './fixtures/post-office.ts'
import { exchange, exim, postfix, qmail, type Returned, vacation } from './fixtures/reports.ts'

const held = { from: Promise.withResolvers<string>(), until: Promise.withResolvers<void>() }
const { posthorn, send, handBack, known } = await openPostOffice({
  async hold({ summary, envelope }) {
    if (summary.subject !== 'Held') return
    held.from.resolve(envelope.from)
    await held.until.promise
  },
})

const servers: [kind: string, report: (returned: Returned) => string][] = [
  ['a report in three parts', postfix],
  ['a report with the reason only in the next server’s reply', exim],
  ['a report in base64', exchange],
  ['a report as text only', qmail],
]
for (const [kind, report] of servers) {
  test(`${kind}: the email has bounced, and its address is suppressed`, async () => {
    const team = await posthorn.team()
    const { id, returnAddress } = await send(team)
    assert.match(await handBack(returnAddress, report({ to: returnAddress, recipient: 'ada@example.com' })), /^250 /)
    const { status, events, details, suppressed } = await known(team, id)
    assert.deepEqual([status, events, suppressed], ['bounced', ['sent', 'bounced'], ['ada@example.com bounce']])
    assert.equal(details.notificationType, 'Bounce')
    assert.equal(details.bounce.bounceType, 'Permanent')
    assert.equal(details.bounce.bouncedRecipients[0].emailAddress, 'ada@example.com')
    assert.match(details.bounce.bouncedRecipients[0].status, /^5\.1\.1/)
    assert.match(details.bounce.bouncedRecipients[0].diagnosticCode, /550 5\.1\.1/)
    assert.equal(details.mail.source, `hello@${team.domain}`)
    assert(details.mail.messageId.startsWith(id))
  })
}

const fates: [what: string, change: Partial<Returned>, status: string, event: string, suppressed: boolean][] = [
  ['refused by a policy', { status: '5.7.1' }, 'bounced', 'bounced', false],
  ['a full mailbox', { status: '5.2.2' }, 'bounced', 'bounced', false],
  ['a disabled mailbox', { status: '5.2.1' }, 'bounced', 'bounced', true],
  ['a host that does not exist', { status: '5.4.4' }, 'bounced', 'bounced', true],
  ['given up after days of trying', { status: '4.4.1', said: 'connect to mx: timed out' }, 'bounced', 'bounced', false],
  ['not delivered yet', { action: 'delayed', status: '4.4.1' }, 'delayed', 'delivery_delayed', false],
  ['delivered', { action: 'delivered', status: '2.0.0' }, 'delivered', 'delivered', false],
]
for (const [what, change, status, event, isSuppressed] of fates) {
  test(`${what}: the email is ${status}${isSuppressed ? ', and its address is suppressed' : ''}`, async () => {
    const team = await posthorn.team()
    const { id, returnAddress } = await send(team)
    await handBack(returnAddress, postfix({ to: returnAddress, recipient: 'ada@example.com', ...change }))
    const now = await known(team, id)
    assert.deepEqual([now.status, now.events], [status, ['sent', event]])
    assert.deepEqual(now.suppressed, isSuppressed ? ['ada@example.com bounce'] : [])
  })
}

test('a report that the mail was relayed or expanded is ignored', async () => {
  const team = await posthorn.team()
  const { id, returnAddress } = await send(team)
  for (const action of ['relayed', 'expanded', 'eaten']) {
    const report = postfix({ to: returnAddress, recipient: 'ada@example.com', action, status: '2.0.0' })
    assert.match(await handBack(returnAddress, report), /^250 /)
  }
  assert.deepEqual((await known(team, id)).events, ['sent'])
})

test('a repeated report changes nothing, and a new one is recorded', async () => {
  const team = await posthorn.team()
  const { id, returnAddress } = await send(team)
  const delayed = { to: returnAddress, recipient: 'ada@example.com', action: 'delayed', status: '4.4.1' }
  for (const mail of ['1', '1', '2']) {
    assert.match(await handBack(returnAddress, postfix({ ...delayed, id: mail })), /^250 /)
  }
  assert.deepEqual((await known(team, id)).events, ['sent', 'delivery_delayed', 'delivery_delayed'])
})

test('a report about forwarded mail counts for the original recipient, whichever address it names', async () => {
  const team = await posthorn.team()
  const { id, returnAddress } = await send(team)
  await handBack(returnAddress, exchange({ to: returnAddress, recipient: 'a.lovelace@corp.example.net' }))
  const { status, suppressed } = await known(team, id)
  assert.deepEqual([status, suppressed], ['bounced', ['ada@example.com bounce']])
})

test('a text without a code is recorded, but neither ends the email nor suppresses its address', async () => {
  const team = await posthorn.team()
  const { id, returnAddress } = await send(team)
  await handBack(returnAddress, qmail({ to: returnAddress, recipient: 'ada@example.com', said: 'no thanks' }))
  const { status, events, details, suppressed } = await known(team, id)
  assert.deepEqual([status, events, suppressed], ['sent', ['sent', 'bounced'], []])
  assert.equal(details.bounce.bounceType, 'Transient')
})

test('a bounce of one recipient is recorded after another one of the email was erased', async () => {
  const team = await posthorn.team()
  const { id, returnAddressOf } = await send(team, { to: ['ada@example.com', 'bob@example.com'] })
  await ask(team, { type: 'erase', email: 'ada@example.com' })
  await posthorn.runDueJobs()
  const to = returnAddressOf('bob@example.com')
  assert.match(await handBack(to, postfix({ to, recipient: 'bob@example.com' })), /^250 /)
  assert.ok((await known(team, id)).suppressed.includes('bob@example.com bounce'))
})

test('an automatic reply is not a bounce', async () => {
  const team = await posthorn.team()
  const { id, returnAddress } = await send(team)
  const reply = await handBack(returnAddress, vacation({ to: returnAddress, recipient: 'ada@example.com' }))
  assert.match(reply, /^250 /)
  assert.deepEqual((await known(team, id)).events, ['sent'])
})

test('a bounce of a deleted email is accepted and ignored', async () => {
  const team = await posthorn.team()
  const { returnAddress } = await send(team)
  const report = postfix({ to: returnAddress, recipient: 'ada@example.com' })
  await team.api.delete(`/v1/domains/${team.domainId}`)
  assert.match(await handBack(returnAddress, report), /^250 /)
  assert.deepEqual((await team.api.get('/v1/suppressions')).body.data, [])
})

test('a bounce that arrives before the hand-over is recorded is refused temporarily', async () => {
  const team = await posthorn.team()
  const sending = send(team, { subject: 'Held' })
  const to = await held.from.promise
  const report = postfix({ to, recipient: 'ada@example.com' })
  assert.match(await handBack(to, report), /^451 4\.3\.0 The message this is about is still being sent/)
  held.until.resolve()
  const { id } = await sending
  assert.match(await handBack(to, report), /^250 /)
  assert.deepEqual((await known(team, id)).events, ['sent', 'bounced'])
})

test('a bounce that arrives after a change of the return path is assigned to its email', async () => {
  const team = await posthorn.team()
  const { id, returnAddress } = await send(team)
  await team.api.patch(`/v1/domains/${team.domainId}`, { customReturnPath: 'mail' })
  await handBack(returnAddress, postfix({ to: returnAddress, recipient: 'ada@example.com' }))
  assert.equal((await known(team, id)).status, 'bounced')
})

test('the return address of an internationalized domain is recognised', async () => {
  const team = await posthorn.team()
  const made = await team.api.post('/v1/domains', { name: 'bücher.test' })
  await team.api.post(`/v1/domains/${made.body.id}/verify`)
  const { id, returnAddress } = await send(team, { from: 'hello@bücher.test' })
  await handBack(returnAddress, postfix({ to: returnAddress, recipient: 'ada@example.com' }))
  assert.equal((await known(team, id)).status, 'bounced')
})
