import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OutboundMessage } from '../provider.ts'
import { CERTIFICATE, type ReceivedMessage, startRealServer } from '../smtp-client/fixtures/real-server.ts'
import { type Script, startScriptedServer } from '../smtp-client/fixtures/scripted-server.ts'
import { validateRelayUrl } from './smtp/relay-url.ts'
import { type SmtpProviderOptions, smtpProvider } from './smtp.ts'

const raw = Buffer.from('Subject: x\r\n\r\n.y\r\n')
const message: OutboundMessage = {
  teamId: 't',
  emailId: 'e',
  domainName: 'a.test',
  region: 'us-east-1',
  tls: 'opportunistic',
  messageId: '<e@a.test>',
  envelope: { from: 'r@send.a.test', to: ['b@b.test', 'c@c.test'] },
  raw,
  summary: { from: 'a@a.test', to: ['b@b.test', 'c@c.test'], bcc: [], subject: 'x' },
  at: new Date('2026-01-31T12:00:00Z'),
}

async function sendTo(url: string, pool: SmtpProviderOptions['pool'] = {}) {
  const warnings: string[] = []
  const log = { warn: (details: object, text: string) => warnings.push(JSON.stringify(details) + text) }
  const provider = smtpProvider({ url, localName: 'posthorn.test', log, pool })
  const outcome = await provider.send(message)
  await provider.close()
  return { outcome, warnings }
}

async function outcomeWith(script: Script) {
  await using server = await startScriptedServer(script)
  return (await sendTo(`smtp://127.0.0.1:${server.port}`)).outcome
}

/** Returns the facts about each recipient in short form. */
async function factsWith(script: Script) {
  const outcome = await outcomeWith(script)
  assert(outcome.kind === 'answered', JSON.stringify(outcome))
  const facts = outcome.facts.map(({ recipient, permanent, suppress }) => `${recipient} ${permanent} ${suppress}`)
  const open = outcome.open?.map(({ recipient, result, diagnosis }) => `${recipient} ${result} ${diagnosis.status}`)
  return { accepted: outcome.accepted, facts, open, response: outcome.response }
}

describe('smtp provider', { concurrency: true }, () => {
  test('a message reaches the relay encrypted, authenticated and unchanged', async () => {
    const onAuth: Parameters<typeof startRealServer>[0] & object = {
      onAuth: ({ username, password }, _session, done) =>
        username === 'us er' && password === 'p@ss:%/' ? done(null, { user: username }) : done(new Error('no')),
    }
    await using starttls = await startRealServer(onAuth)
    await using implicit = await startRealServer({ ...onAuth, secure: true })
    const credentials = 'us%20er:p%40ss%3A%25%2F'
    const [first, second] = await Promise.all([
      sendTo(`smtp://${credentials}@127.0.0.1:${starttls.port}`),
      sendTo(`smtps://${credentials}@localhost:${implicit.port}`, { ca: CERTIFICATE }),
    ])
    for (const { outcome, warnings } of [first, second]) {
      assert(outcome.kind === 'answered')
      assert.deepEqual([outcome.accepted, outcome.facts, warnings], [message.envelope.to, [], []])
      assert.match(outcome.response ?? '', /^250 /)
    }
    const expected: ReceivedMessage = { ...message.envelope, raw, secure: true, user: 'us er' }
    assert.deepEqual([...starttls.messages, ...implicit.messages], [expected, expected])
  })

  test('one refused recipient bounces in the shape of Amazon SES, and the others have the message', async () => {
    const script: Script = (verb, _socket, line) =>
      verb === 'RCPT' && line.includes('b@b') ? '550 5.1.1 no such user\r\n' : undefined
    const outcome = await outcomeWith(script)
    assert(outcome.kind === 'answered')
    assert.deepEqual(outcome.accepted, ['c@c.test'])
    assert.deepEqual(outcome.facts[0]?.data.bounce, {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [
        { emailAddress: 'b@b.test', status: '5.1.1', action: 'failed', diagnosticCode: 'smtp; 550 5.1.1 no such user' },
      ],
      timestamp: '2026-01-31T12:00:00.000Z',
    })
    const soft = await factsWith((verb, _socket, line) =>
      verb === 'RCPT' && line.includes('b@b') ? '452 full\r\n' : undefined,
    )
    assert.deepEqual([soft.accepted, soft.facts, soft.open], [['c@c.test'], [], ['b@b.test deferred 4.0.0']])
  })

  test('a permanent refusal of all bounces for all, and only an address at fault is suppressed', async () => {
    const at = (where: string, reply: string) => factsWith((verb) => (verb === where ? `${reply}\r\n` : undefined))
    const both = (rest: string) => ['b@b.test', 'c@c.test'].map((address) => `${address} ${rest}`)
    assert.deepEqual((await at('RCPT', '550 unknown')).facts, both('true true'))
    assert.deepEqual((await at('RCPT', '554 5.7.1 relaying denied')).facts, both('true false'))
    for (const where of ['MAIL', 'DATA', 'END']) {
      const { accepted, facts, response } = await at(where, '552 5.3.4 too big')
      assert.deepEqual([accepted, facts, response], [[], both('true false'), '552 5.3.4 too big'])
    }
  })

  test('a real server refuses a message that is too large permanently', async () => {
    await using server = await startRealServer({ size: 5 })
    const { outcome } = await sendTo(`smtp://127.0.0.1:${server.port}?tls=none`)
    assert(outcome.kind === 'answered')
    assert.deepEqual([outcome.accepted, outcome.facts.length], [[], 2])
    assert.match(outcome.response ?? '', /^552 /)
  })

  test('a temporary refusal or a required login is unavailable and has the relay’s code', async () => {
    for (const where of ['CONNECT', 'MAIL', 'RCPT', 'DATA', 'END']) {
      for (const reply of ['451 4.3.0 try later', '421 4.3.2 closing', '530 5.7.0 login first']) {
        const outcome = await outcomeWith((verb) => (verb === where ? `${reply}\r\n` : undefined))
        assert(outcome.kind === 'unavailable', `${where} ${reply}: ${outcome.kind}`)
        assert(outcome.message.includes(`(${reply.slice(0, 9)})`), outcome.message)
      }
    }
    const mixed = await outcomeWith((verb, _socket, line) =>
      verb === 'RCPT' ? (line.includes('b@b') ? '550 no\r\n' : '450 greylisted\r\n') : undefined,
    )
    assert.equal(mixed.kind, 'unavailable')
  })

  test('an unreachable relay, a bad password and a bad certificate are unavailable, and no password is shown', async () => {
    await using server = await startRealServer({
      onAuth: (_auth, _session, done) => done(new Error('secret99 is wrong')),
    })
    const gone = await startScriptedServer()
    await gone[Symbol.asyncDispose]()
    const all = await Promise.all([
      sendTo(`smtp://u:secret99@127.0.0.1:${gone.port}`),
      sendTo(`smtp://u:secret99@127.0.0.1:${server.port}`),
      sendTo(`smtp://u:secret99@127.0.0.1:${server.port}?tls=required`),
    ])
    const reasons = [/could not be reached\.$/, /let nobody log in \(535/, /could not be spoken to encrypted\.$/]
    const logged = [/ECONNREFUSED/, /535/, /self-signed/]
    all.forEach(({ outcome, warnings }, index) => {
      assert(outcome.kind === 'unavailable')
      assert.match(outcome.message, reasons[index]!)
      assert.equal(warnings.length, 1)
      assert.match(warnings[0]!, logged[index]!)
      assert.match(warnings[0]!, /127\.0\.0\.1:\d/)
      assert.doesNotMatch(outcome.message, /127\.0\.0\.1|localhost|:\d/)
      assert.doesNotMatch(outcome.message + warnings.join(), /secret99/)
    })
  })

  test('a refusal before a cut connection is the reason, and not the cut', async () => {
    const outcome = await outcomeWith((verb, socket) => {
      if (verb !== 'RCPT') return undefined
      socket.end('450 4.2.1 too fast\r\n')
      return null
    })
    assert(outcome.kind === 'unavailable')
    assert.deepEqual(outcome.diagnosis, { status: '4.2.1', diagnosticCode: 'smtp; 450 4.2.1' })
  })

  test('552 without an enhanced code is a message too large, or the full mailbox of a recipient', async () => {
    for (const [where, kind] of Object.entries({
      MAIL: 'MessageTooLarge',
      END: 'MessageTooLarge',
      RCPT: 'MailboxFull',
    })) {
      const outcome = await outcomeWith((verb) => (verb === where ? '552 too much\r\n' : undefined))
      assert(outcome.kind === 'answered')
      const { data, suppress } = outcome.facts[0]!
      assert.deepEqual([(data.bounce as { bounceSubType: string }).bounceSubType, suppress], [kind, false])
    }
  })

  test('a relay that refuses a recipient by an error of the session bounces none, and the log says so', async () => {
    for (const code of ['500', '502', '503 5.5.1', '504 5.5.2', '530', '535', '538']) {
      await using server = await startScriptedServer((verb, _socket, line) =>
        verb === 'RCPT' && line.includes('b@b') ? `${code} not so\r\n` : undefined,
      )
      const { outcome, warnings } = await sendTo(`smtp://127.0.0.1:${server.port}`)
      assert(outcome.kind === 'answered', JSON.stringify(outcome))
      const open = outcome.open?.map(({ recipient, result, diagnosis }) => `${recipient} ${result} ${diagnosis.status}`)
      assert.deepEqual([outcome.accepted, outcome.facts, open], [['c@c.test'], [], ['b@b.test deferred 4.0.0']])
      assert.equal(warnings.length, 1)
      assert.match(warnings[0]!, new RegExp(`${code} not so.*the relay fails`))
    }
  })

  test('a connection lost after the message is unknown', async () => {
    const outcome = await outcomeWith((verb, socket) => {
      if (verb !== 'END') return undefined
      socket.resetAndDestroy()
      return null
    })
    assert.equal(outcome.kind, 'unknown')
  })
})

test('a relay URL that cannot work is refused with one sentence that does not quote it', () => {
  const good = [
    'smtp://h',
    'smtps://u:p@h',
    'smtp://u:p@h:587/?tls=required&verify=off',
    'smtp://[::1]:25',
    'smtp://u:p@localhost?tls=none',
  ]
  for (const url of good) assert.equal(validateRelayUrl(url), null, url)
  const bad = [
    'nonsense',
    'http://h',
    'smtp://',
    'smtp://h:0',
    'smtp://h:99999',
    'smtp://h/path',
    'smtp://h?tls=maybe',
    'smtp://h?verify=on',
    'smtp://h?x=1',
    'smtp://h?tls=none&tls=required',
    'smtps://h?tls=none',
    'smtp://u:secret99@relay.test?tls=none',
    'smtp://:secret99@h',
    'smtp://u:secret99%@h',
    'smtp://u:secret99%00@h',
  ]
  for (const url of bad) assert.match(validateRelayUrl(url) ?? '', /^(?!.*secret99)[A-Z].*\.$/, url)
})
