import assert from 'node:assert/strict'
import https from 'node:https'
import net from 'node:net'
import { test } from 'node:test'
import { authenticate } from 'mailauth'
import { createTestApp, type TestTeam } from '../../../test/app.ts'
import { patienceMs, until } from '../../../test/patience.ts'
import { pluck } from '../../../test/pluck.ts'
import { slowTest } from '../../../test/slow.ts'
import { insertVerifiedDomain } from '../../domains/insert-verified.ts'
import { fixture, listen } from '../../platform/egress/fixtures/loopback.ts'
import { type OutboundMessage, unreachableFor } from '../provider.ts'
import { refuseWith, startAmazon } from './ses/fixtures/amazon.ts'
import { sesProvider } from './ses.ts'

const amazon = await startAmazon()
const posthorn = await createTestApp(amazon.environment)
const { app } = posthorn
const team = await posthorn.team()
const keys = await app.generateDkimKeys()
const domainId = await app.transaction((tx) => insertVerifiedDomain(tx, app.keyring, team.id, 'mail.test', keys))
const email = { from: 'Ada <ada@mail.test>', to: ['b@b.test'], subject: 'Hello', text: 'Hello' }

/** Returns the answer to one send and the number of calls to Amazon. */
async function send(more: object = {}, by: TestTeam = team) {
  const before = amazon.sent.length
  const answer = await by.api.post('/v1/emails', { ...email, ...more })
  return { status: answer.status, body: answer.body, asked: amazon.sent.length - before }
}

async function sendWith(answer: typeof amazon.answer, more: object = {}, by: TestTeam = team) {
  const usual = amazon.answer
  amazon.answer = answer
  try {
    return await send(more, by)
  } finally {
    amazon.answer = usual
  }
}

async function eventsOf(id: string) {
  const { body } = await team.api.get(`/v1/emails/${id}/events`)
  return (body as { type: string; data: Record<string, unknown> }[]).map(({ type, data }) => ({ type, data }))
}

test('a complete message is handed over once, with its tag, to all recipients including bcc', async () => {
  const { status, body, asked } = await send({ bcc: ['audit@bücher.test'], html: '<p>Grüße</p>' })
  assert.deepEqual([status, body.status, asked], [200, 'sent', 1])
  const request = amazon.sent.at(-1)!
  assert.deepEqual(request.Destination, { ToAddresses: ['b@b.test', 'audit@xn--bcher-kva.test'] })
  assert.equal(request.FromEmailAddress, undefined)
  assert.match(request.FeedbackForwardingEmailAddress, /^bounce\+.*@send\.mail\.test$/)
  assert.equal(request.ConfigurationSetName, 'posthorn')
  assert.deepEqual(
    request.EmailTags.map(({ Name, Value }) => [Name, /^[\w-]{1,256}$/.test(Value)]),
    [['posthorn', true]],
  )
  const raw = Buffer.from(request.Content.Raw.Data, 'base64').toString()
  assert.doesNotMatch(raw, /audit@/)
  const [sent] = await eventsOf(body.id)
  assert.equal(sent?.type, 'sent')
  assert.match(String(sent?.data.smtpResponse), /^0100-ses-/)
})

test('the signature stays valid when Amazon replaces Message-ID and Date', async () => {
  await send()
  const raw = Buffer.from(amazon.sent.at(-1)!.Content.Raw.Data, 'base64').toString()
  const changed = raw
    .replace(/^Message-ID: .*$/im, 'Message-ID: <0100@email.amazonses.com>')
    .replace(/^Date: .*$/im, 'Date: Sat, 15 Jun 2030 12:00:01 +0000')
  assert.notEqual(changed, raw)
  const { records } = (await team.api.get(`/v1/domains/${domainId}`)).body as {
    records: { type: string; name: string; value: string }[]
  }
  const resolver = async (name: string) => records.filter((one) => one.name === name).map(({ value }) => [value])
  const options = { resolver, trustReceived: false, disableArc: true, disableBimi: true }
  const { dkim } = await authenticate(Buffer.from(changed), options)
  assert.equal(dkim.results[0]?.status?.result, 'pass')
})

test('a domain sends in its own region', async () => {
  const made = await team.api.post('/v1/domains', { name: 'eu.test', region: 'eu-central-1' })
  await app.db.updateTable('domains').set({ status: 'verified' }).where('id', '=', made.body.id).execute()
  await send()
  await send({ from: 'ada@eu.test' })
  assert.deepEqual(amazon.regions.slice(-2), ['us-east-1', 'eu-central-1'])
})

test('with EMAIL_UNREACHABLE=refuse a message that Amazon refuses is not stored, and the refusal says what to do', async () => {
  const strict = await createTestApp({ ...amazon.environment, EMAIL_UNREACHABLE: 'refuse' })
  const shop = await strict.team()
  const refusals: [number, string, string, RegExp][] = [
    [400, 'MessageRejected', 'Email address is not verified.', /not verified.*Verify the domain/],
    [400, 'MailFromDomainNotVerifiedException', 'Not verified', /Not verified\. Verify the custom MAIL FROM/],
    [400, 'BadRequestException', 'Illegal address', /Illegal address\. Nothing was sent/],
    [400, 'AccountSuspendedException', 'Suspended.', /AWS Support/],
    [400, 'SendingPausedException', 'Paused.', /resume it in the SES console/],
    [404, 'NotFoundException', 'Configuration set posthorn does not exist.', /SES_CONFIGURATION_SET/],
    [
      429,
      'TooManyRequestsException',
      'Maximum sending rate exceeded.',
      /Maximum sending rate exceeded\. Send more slowly/,
    ],
    [400, 'ThrottlingException', 'Rate exceeded.', /Send more slowly/],
    [403, 'SignatureDoesNotMatch', 'The Canonical String was secret', /credentials are valid/],
    [500, 'InternalFailure', '', /internal error \(500\)/],
    [503, 'ServiceUnavailable', '<html>', /internal error \(503\)/],
  ]
  for (const [status, name, message, says] of refusals) {
    const answer = await sendWith(
      refuseWith(status, name, message),
      { subject: 'Refused', from: `a@${shop.domain}` },
      shop,
    )
    assert.deepEqual([answer.status, answer.body.name, answer.asked], [502, 'provider_error', 1], name)
    assert.match(answer.body.message, says)
    assert.doesNotMatch(answer.body.message, /secret/)
  }
  const { body } = await shop.api.get('/v1/emails?search=Refused')
  assert.equal(body.total, 0)
})

test('a lost answer is unknown: the email counts as sent, and says so in its events', async () => {
  const cut = await sendWith((request) => void request.socket.destroy())
  const garbled = await sendWith((_request, response) => void response.writeHead(200).end('{"Mess'))
  for (const { status, body, asked } of [cut, garbled]) {
    assert.deepEqual([status, body.status, asked], [200, 'sent', 1])
    const types = (await eventsOf(body.id)).map(({ type }) => type)
    assert.deepEqual(types.sort(), ['outcome_unknown', 'sent'])
  }
})

test('a refused scheduled email waits and is sent once Amazon accepts it', async () => {
  const { body } = await send({ scheduledAt: '2030-06-15T13:00:00.000Z' })
  posthorn.clock.set('2030-06-15T13:00:01.000Z')
  const usual = amazon.answer
  amazon.answer = refuseWith(429, 'TooManyRequestsException', 'Slow down.')
  await posthorn.runDueJobs()
  amazon.answer = usual
  assert.equal((await team.api.get(`/v1/emails/${body.id}`)).body.status, 'delayed')
  await posthorn.runDueJobsAfter(10_000)
  assert.equal((await team.api.get(`/v1/emails/${body.id}`)).body.status, 'sent')
  assert.deepEqual(pluck(await eventsOf(body.id), 'type'), ['sent', 'delivery_delayed'])
})

slowTest('many messages at once are each sent once, over a limited number of connections', async () => {
  const usual = amazon.answer
  let [running, most] = [0, 0]
  amazon.answer = (request, response) => {
    most = Math.max(most, ++running)
    setImmediate(() => {
      running--
      usual(request, response)
    })
  }
  const before = amazon.sent.length
  // On a slow machine the last of them wait for long.
  const timeouts = { waitMs: patienceMs }
  const provider = sesProvider({ configurationSet: null, endpoint: amazon.url, tagsOf: () => ({}), timeouts })
  const outcomes = await Promise.all(Array.from({ length: 300 }, () => provider.send(message)))
  await provider.close()
  amazon.answer = usual
  assert.equal(new Set(outcomes.map((outcome) => outcome.kind === 'answered' && outcome.response)).size, 300)
  assert.equal(amazon.sent.length - before, 300)
  assert.ok(most <= 64, String(most))
})

test('a message that waits too long is not sent, and does not delay the others', async () => {
  const usual = amazon.answer
  const held: (() => void)[] = []
  amazon.answer = (request, response) => void held.push(() => usual(request, response))
  const before = amazon.sent.length
  const timeouts = { waitMs: 100 }
  const provider = sesProvider({ configurationSet: null, endpoint: amazon.url, tagsOf: () => ({}), timeouts })
  const sends = Array.from({ length: 65 }, () => provider.send(message))
  assert.equal((await sends.at(-1)!).kind, 'unavailable')
  await until(() => held.length === 64)
  amazon.answer = usual
  for (const go of held) go()
  const outcomes = await Promise.all(sends)
  await provider.close()
  assert.equal(outcomes.filter(({ kind }) => kind === 'answered').length, 64)
  assert.equal(amazon.sent.length - before, 64)
})

const message: OutboundMessage = {
  teamId: team.id,
  emailId: team.id,
  domainName: 'mail.test',
  region: 'us-east-1',
  tls: 'opportunistic',
  messageId: '<e@mail.test>',
  envelope: { from: 'r@send.mail.test', to: ['b@b.test'] },
  raw: Buffer.from('Subject: x\r\n\r\ny\r\n'),
  summary: { from: 'a@mail.test', to: ['b@b.test'], bcc: [], subject: 'x' },
  at: new Date('2030-01-31T12:00:00Z'),
}

async function outcomeAt(endpoint: string, timeouts: Parameters<typeof sesProvider>[0]['timeouts'] = {}) {
  const provider = sesProvider({ configurationSet: null, endpoint, tagsOf: () => ({ a: 'b' }), timeouts })
  const outcome = await provider.send(message)
  await provider.close()
  return outcome
}

slowTest('the wait for a silent peer is limited, and the outcome is unknown', async () => {
  const usual = amazon.answer
  amazon.answer = () => undefined
  for (const timeouts of [{ idleMs: 3000 }, { totalMs: 3000 }]) {
    const before = amazon.sent.length
    const outcome = await outcomeAt(amazon.url, timeouts)
    assert.equal(outcome.kind, 'unknown')
    assert.match(JSON.stringify(outcome), /did not answer in time/)
    assert.equal(amazon.sent.length - before, 1)
  }
  amazon.answer = usual
})

test('nothing was sent without a connection or with an unverified one', async () => {
  const before = amazon.sent.length
  const refused = await outcomeAt('http://127.0.0.1:1')
  assert.deepEqual(refused, unreachableFor('Amazon SES could not be reached: ECONNREFUSED.'))
  const cut = await listen(net.createServer((socket) => socket.destroy()))
  const stranger = await listen(
    https.createServer({ cert: fixture('cert'), key: fixture('key') }, () => assert.fail('it was asked')),
  )
  for (const endpoint of [
    amazon.url.replace('http:', 'https:'),
    `https://127.0.0.1:${cut}`,
    `https://127.0.0.1:${stranger}`,
  ]) {
    const outcome = await outcomeAt(endpoint)
    assert.equal(outcome.kind, 'unavailable', JSON.stringify(outcome))
  }
  assert.equal(amazon.sent.length, before)
})
