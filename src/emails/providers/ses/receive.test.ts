import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createTestApp, ok } from '../../../../test/app.ts'
import type { SnsMessage } from '../../../platform/sns/message.ts'
import { isCertificateUrl, isSnsUrl } from '../../../platform/sns/url.ts'
import { startAmazon, topic } from './fixtures/amazon.ts'

const amazon = await startAmazon()
const posthorn = await createTestApp(amazon.environment)

function post(message: unknown, by = posthorn) {
  const text = typeof message === 'string' ? message : JSON.stringify(message)
  return by.anyone.post('/providers/ses/events', text, { 'content-type': 'text/plain; charset=UTF-8' })
}

/** Returns the refusal and the number of requests that were made for it. */
async function refused(message: SnsMessage, by = posthorn) {
  const before = amazon.fetched.length
  const { status, body } = await post(message, by)
  return { status, name: body.name, message: body.message, fetched: amazon.fetched.length - before }
}

test('both versions of the signature are accepted, with and without a subject, and the certificate is fetched once', async () => {
  for (const SignatureVersion of ['1', '2'])
    for (const more of [{}, { Subject: 'Amazon SES Email Event Notification' }])
      assert.equal((await post(amazon.sign({ SignatureVersion, ...more }))).status, 200)
  assert.equal(amazon.fetched.length, 1)
})

test('a message is also accepted with the content type of JSON', async () => {
  await ok(posthorn.anyone.post('/providers/ses/events', amazon.sign({})))
})

test('a message with any change is refused', async () => {
  const good = amazon.sign({ Subject: 'x' })
  const changes: Partial<SnsMessage>[] = [
    { Message: 'y' },
    { Subject: 'y' },
    { MessageId: 'y' },
    { Timestamp: '2031-06-15T12:00:00.000Z' },
    { Signature: Buffer.alloc(256).toString('base64') },
    { Signature: '' },
    { SignatureVersion: '1' },
  ]
  for (const change of changes) {
    const { status, name, message } = await refused({ ...good, ...change })
    assert.deepEqual([status, name, message], [401, 'authentication_error', 'Signature: does not match the message.'])
  }
  const { Subject: _, ...without } = good
  assert.equal((await refused(without as SnsMessage)).status, 401)
  assert.equal((await refused({ ...good, SignatureVersion: '3' })).status, 401)
})

test('messages of other topics are refused, and nothing is fetched for them', async () => {
  const other = { TopicArn: 'arn:aws:sns:us-east-1:999999999999:events' }
  for (const message of [amazon.sign(other), amazon.sign({ ...other, SigningCertURL: 'https://a.test/' })]) {
    const answer = await refused(message)
    assert.deepEqual([answer.status, answer.fetched], [401, 0])
    assert.match(answer.message, /SES_TOPIC_ARNS/)
  }
})

test('without topics every message is refused, and the log and the answer name the missing variable', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  const none = await createTestApp({ ...amazon.environment, SES_TOPIC_ARNS: '' }, { log })
  const answers = [await refused(amazon.sign({}), none), await refused(amazon.sign({}), none)]
  for (const { status, message, fetched } of answers) {
    assert.deepEqual([status, fetched], [401, 0])
    assert.match(message, /SES_TOPIC_ARNS/)
  }
  assert.equal(lines.length, 1)
  assert.match(lines[0]!, /SES_TOPIC_ARNS/)
})

test('a certificate of another host is refused without a request', async () => {
  const path = '/SimpleNotificationService-0.pem'
  const { port } = new URL(amazon.url)
  const urls = [
    `http://localhost:${port}${path}`,
    `${amazon.url}/other.pem`,
    `${amazon.url}${path}?x`,
    `${amazon.url.replace('http:', 'https:')}${path}`,
    `http://user@127.0.0.1:${port}${path}`,
    `https://evil.test${path}`,
    'nonsense',
    '',
  ]
  for (const SigningCertURL of urls) {
    const { status, name, fetched } = await refused(amazon.sign({ SigningCertURL }))
    assert.deepEqual([status, name, fetched], [401, 'authentication_error', 0], SigningCertURL)
  }
})

test('only https addresses of Amazon’s own hosts count as Amazon SNS', () => {
  const path = '/SimpleNotificationService-0123abc.pem'
  const common = ['sns.us-east-1.amazonaws.com', 'sns.cn-north-1.amazonaws.com.cn', 'SNS.eu-west-1.amazonaws.com']
  const good = [...common, 'sns.eusc-de-east-1.amazonaws.eu']
  for (const host of good) assert.ok(isCertificateUrl(`https://${host}${path}`, null), host)
  const bad = [
    'sns.us-east-1.amazonaws.com.evil.test',
    'evil.test/sns.us-east-1.amazonaws.com',
    'sns.us-east-1.evil.amazonaws.com',
    'xsns.us-east-1.amazonaws.com',
    'sns.us-east-1.amazonaws.com:444',
    'sns.us-east-1.amazonaws.com@evil.test',
    'bucket.s3.amazonaws.com',
    'sns.amazonaws.com',
    'sns.us-east-1.amazonaws.com.',
    'sns.us-east-1.amazonaws.co',
    'sns.us-east-1.amazonaws.eu',
    'sns.eusc-de-east-1.amazonaws.eu.evil.test',
  ]
  for (const host of bad) assert.equal(isSnsUrl(`https://${host}${path}`, null), false, host)
  const [host] = good
  for (const other of ['/x.pem', `${path}?Action=x`, `${path}#x`, `/a${path}`, '/SimpleNotificationService-.pem'])
    assert.equal(isCertificateUrl(`https://${host}${other}`, null), false, other)
  assert.equal(isSnsUrl(`http://${host}/`, null), false)
  assert.ok(isSnsUrl(`https://${host}/?Action=ConfirmSubscription&Token=x`, 'http://127.0.0.1:1'))
  assert.equal(isSnsUrl('http://127.0.0.1:1/', null), false)
})

const confirmation = {
  Type: 'SubscriptionConfirmation',
  Token: 'token',
  Message: 'You have chosen to subscribe.',
  SubscribeURL: `${amazon.url}/?Action=ConfirmSubscription&Token=token`,
}

test('only a subscription to a listed topic is confirmed', async () => {
  const confirmed = () => amazon.fetched.filter((path) => path === '/?Action=ConfirmSubscription&Token=token').length
  const good = amazon.sign(confirmation)
  const bad = [
    { ...good, Token: 'other' },
    { ...good, SubscribeURL: `${amazon.url}/other` },
    amazon.sign({ ...confirmation, SubscribeURL: 'https://evil.test/' }),
    amazon.sign({ ...confirmation, TopicArn: `${topic}2` }),
  ]
  for (const message of bad) assert.equal((await post(message)).status, 401)
  assert.equal(confirmed(), 0)
  assert.equal((await post(good)).status, 200)
  assert.equal(confirmed(), 1)
})

test('a confirmation that Amazon does not accept is requested again', async () => {
  amazon.status = 500
  const { status, headers } = await post(amazon.sign(confirmation))
  amazon.status = 200
  assert.equal(status, 503)
  assert.ok(headers['retry-after'])
})

test('a certificate that cannot be fetched now is requested again, and an invalid one is refused', async () => {
  const fresh = { SigningCertURL: `${amazon.url}/SimpleNotificationService-fresh.pem` }
  for (const [status, answer] of [
    [503, 503],
    [404, 401],
    [200, 200],
  ] as const) {
    amazon.status = status
    assert.equal((await post(amazon.sign(fresh))).status, answer)
  }
})

test('an expired certificate is refused', async () => {
  const before = posthorn.clock.now()
  posthorn.clock.set('2121-01-01T00:00:00Z')
  const { status, message } = await refused(amazon.sign({}))
  posthorn.clock.set(before)
  assert.equal(status, 401)
  assert.match(message, /not valid at this time/)
})

test('the end of a subscription is logged', async () => {
  assert.equal((await post(amazon.sign({ ...confirmation, Type: 'UnsubscribeConfirmation' }))).status, 200)
})

test('a body that is not a message of Amazon SNS is 400 and says what is missing', async () => {
  const good = amazon.sign({})
  const { MessageId: _, ...without } = good
  const bodies: [unknown, RegExp][] = [
    ['', /body/],
    ['{', /not valid JSON/],
    ['[]', /SNS/],
    ['null', /SNS/],
    ['"x"', /SNS/],
    ['{}', /Type/],
    [without, /MessageId/],
    [{ ...good, Message: 5 }, /Message/],
    [{ ...good, Subject: {} }, /Subject/],
    ['['.repeat(100_000), /nested/],
    [{ eventType: 'Bounce', mail: {} }, /raw message delivery/],
    [amazon.sign({ Type: 'Other' }), /Type/],
  ]
  for (const [body, says] of bodies) {
    const answer = await post(body)
    assert.equal(answer.status, answer.text.includes('Signature') ? 401 : 400, answer.text)
    assert.match(answer.body.message, says)
  }
})

test('a notification that is too old or dated ahead is refused even with a valid signature', async () => {
  const minutes = (count: number) => new Date(posthorn.clock.now().getTime() + count * 60_000).toISOString()
  for (const count of [-119, 14]) assert.equal((await post(amazon.sign({ Timestamp: minutes(count) }))).status, 200)
  for (const Timestamp of [minutes(-121), minutes(16), 'yesterday', '']) {
    const { status, message } = await refused(amazon.sign({ Timestamp }))
    assert.equal(status, 401)
    assert.match(message, /^Timestamp: must be within the last 2 hours/)
  }
})

test('with SNS_SIGNATURE_VERSION=2 a SHA-1 signature is refused', async () => {
  const strict = await createTestApp({ ...amazon.environment, SNS_SIGNATURE_VERSION: '2' })
  assert.match(
    (await refused(amazon.sign({ SignatureVersion: '1' }), strict)).message,
    /^SignatureVersion: must be 2\./,
  )
  assert.equal((await post(amazon.sign({ SignatureVersion: '2' }), strict)).status, 200)
})
