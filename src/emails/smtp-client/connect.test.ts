import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { createSecureContext, TLSSocket } from 'node:tls'
import { slowTest } from '../../../test/slow.ts'
import { type ConnectOptions, connect } from './connect.ts'
import { SmtpFailure } from './failure.ts'
import { CERTIFICATE, startRealServer } from './fixtures/real-server.ts'
import { type Script, startScriptedServer } from './fixtures/scripted-server.ts'

const MESSAGE = Buffer.from('Subject: x\r\n\r\ny\r\n')
const ENVELOPE = { from: 'a@a.test', to: ['b@b.test'] }
const SHORT = { connectMs: 2000, greetingMs: 150, commandMs: 150 }

function optionsFor(port: number, more: Partial<ConnectOptions> = {}): ConnectOptions {
  return { host: '127.0.0.1', port, tls: 'none', verify: true, ca: CERTIFICATE, localName: 'client.test', ...more }
}

async function failureOf(options: ConnectOptions): Promise<SmtpFailure> {
  const connection = await connect(options).catch((error: unknown) => error)
  assert(connection instanceof SmtpFailure, 'the connection should have failed')
  return connection
}

/** Connects to a server that follows `script`, and returns the failure. */
async function failureWith(script: Script, more: Partial<ConnectOptions> = {}): Promise<SmtpFailure> {
  await using server = await startScriptedServer(script)
  return await failureOf(optionsFor(server.port, more))
}

describe('connect', { concurrency: true }, () => {
  test('encrypts from the start, after STARTTLS, or not at all, as configured', async () => {
    await using starttls = await startRealServer()
    await using implicit = await startRealServer({ secure: true })
    await using plain = await startRealServer({ hideSTARTTLS: true })
    const secure = async (port: number, tls: ConnectOptions['tls'], host = '127.0.0.1') => {
      const connection = await connect(optionsFor(port, { tls, host }))
      const result = await connection.transaction(ENVELOPE, MESSAGE)
      assert.equal(result.data?.code, 250)
      await connection.quit()
      return connection.secure
    }
    const all = await Promise.all([
      secure(starttls.port, 'opportunistic'),
      secure(starttls.port, 'required', 'localhost'),
      secure(starttls.port, 'none'),
      secure(implicit.port, 'implicit'),
      secure(plain.port, 'opportunistic'),
    ])
    assert.deepEqual(all, [true, true, false, true, false])
    const required = await failureOf(optionsFor(plain.port, { tls: 'required' }))
    assert.equal(required.phase, 'tls')
  })

  test('a certificate that is not trusted or names another host is refused if certificates are verified', async () => {
    await using server = await startRealServer()
    const untrusted = { ...optionsFor(server.port, { tls: 'required' }) }
    delete untrusted.ca
    const [first, second, unverified] = await Promise.all([
      failureOf(untrusted),
      failureOf(optionsFor(server.port, { tls: 'required', serverName: 'other.test' })),
      connect(optionsFor(server.port, { tls: 'required', serverName: 'other.test', verify: false })),
    ])
    assert.equal(first.phase, 'tls')
    assert.match(first.message, /self-signed/)
    assert.match(second.message, /other\.test/)
    assert.equal(unverified.secure, true)
    await unverified.quit()
  })

  test('logs in with PLAIN or LOGIN, and a refusal does not contain the password', async () => {
    const auth = { user: 'u', password: 'p:ä secret' }
    const onAuth: NonNullable<Parameters<typeof startRealServer>[0]>['onAuth'] = (given, _session, done) =>
      given.username === auth.user && given.password === auth.password
        ? done(null, { user: given.method })
        : done(new Error(`bad ${given.password}`))
    await using plain = await startRealServer({ onAuth, authMethods: ['PLAIN', 'LOGIN'] })
    await using login = await startRealServer({ onAuth, authMethods: ['LOGIN'] })
    for (const server of [plain, login]) {
      const connection = await connect(optionsFor(server.port, { tls: 'required', auth }))
      await connection.transaction(ENVELOPE, MESSAGE)
      await connection.quit()
    }
    assert.deepEqual(
      [plain, login].map(({ messages }) => messages[0]?.user),
      ['PLAIN', 'LOGIN'],
    )
    const wrong = await failureOf(
      optionsFor(plain.port, { tls: 'required', auth: { user: 'u', password: 'hunter22' } }),
    )
    assert.equal(wrong.phase, 'auth')
    assert.equal(wrong.reply?.code, 535)
    assert.doesNotMatch(`${wrong.message}${JSON.stringify(wrong.reply)}`, /hunter22/)
  })

  test('no password is sent to a server that offers no login, or only mechanisms we do not support', async () => {
    const failure = await failureWith(() => undefined, { auth: { user: 'u', password: 'p' } })
    assert.deepEqual([failure.phase, failure.message], ['auth', 'the server offers neither AUTH PLAIN nor AUTH LOGIN'])
  })

  test('a server that does not know EHLO is greeted with HELO', async () => {
    await using server = await startScriptedServer((verb) => (verb === 'EHLO' ? '502 5.5.1 what?\r\n' : undefined))
    const connection = await connect(optionsFor(server.port))
    assert.equal(connection.extensions.pipelining, false)
    assert.equal((await connection.transaction(ENVELOPE, MESSAGE)).data?.code, 250)
    await connection.quit()
    assert.deepEqual(server.commands.slice(0, 3), ['EHLO client.test', 'HELO client.test', 'MAIL FROM:<a@a.test>'])
  })

  test('plain text after the reply to STARTTLS is discarded, and EHLO is sent again', async () => {
    const context = createSecureContext({
      cert: CERTIFICATE,
      key: readFileSync(new URL('./fixtures/localhost.key.pem', import.meta.url)),
    })
    const heard: string[] = []
    await using server = await startScriptedServer((verb, socket) => {
      if (verb === 'EHLO') return '250-x\r\n250-STARTTLS\r\n250 PIPELINING\r\n'
      if (verb !== 'STARTTLS') return undefined
      socket.removeAllListeners('data')
      socket.write('220 go\r\n250-injected\r\n250-SIZE 1\r\n250 AUTH PLAIN\r\n235 2.7.0 welcome\r\n')
      const secure = new TLSSocket(socket, { isServer: true, secureContext: context })
      secure
        .on('error', () => {})
        .on('data', (chunk) => {
          heard.push(chunk.toString())
          secure.write('250-secure\r\n250 8BITMIME\r\n')
        })
      return null
    })
    const connection = await connect(optionsFor(server.port, { tls: 'required' }))
    assert.deepEqual(heard, ['EHLO client.test\r\n'])
    assert.deepEqual(
      [connection.extensions.eightBitMime, connection.extensions.size, connection.extensions.auth],
      [true, false, []],
    )
    connection.destroy()
  })

  slowTest('each step fails within its time limit and reports its phase', async () => {
    const silentAt = (silent: string, timeouts = SHORT) =>
      failureWith((verb) => (verb === silent ? null : undefined), { timeouts })
    assert.equal((await silentAt('CONNECT')).phase, 'greeting')
    assert.equal((await silentAt('EHLO', { ...SHORT, greetingMs: 5000 })).phase, 'hello')
    const closed = await startScriptedServer()
    await closed[Symbol.asyncDispose]()
    assert.equal((await failureOf(optionsFor(closed.port))).phase, 'connect')
    const tls = await failureWith((verb) => (verb === 'CONNECT' ? null : undefined), {
      tls: 'implicit',
      timeouts: SHORT,
    })
    assert.equal(tls.phase, 'tls')
  })

  test('a reply that arrives byte by byte does not extend its time limit', async () => {
    const failure = await failureWith(
      (verb, socket) => {
        if (verb !== 'EHLO') return undefined
        const drip = setInterval(() => socket.write('2'), 15)
        socket.on('close', () => clearInterval(drip))
        return '250-slow\r\n250-'
      },
      { timeouts: { ...SHORT, greetingMs: 5000 } },
    )
    assert.equal(failure.phase, 'hello')
    assert.match(failure.message, /did not answer within/)
  })

  test('a server that refuses the connection, closes it or does not speak SMTP is reported as such', async () => {
    const at = async (where: string, reply: string) => {
      const failure = await failureWith((verb) => (verb === where ? reply : undefined))
      return [failure.phase, failure.reply?.code ?? null]
    }
    assert.deepEqual(await at('CONNECT', '421 4.7.0 busy\r\n'), ['greeting', 421])
    assert.deepEqual(await at('CONNECT', '554 5.7.1 go away\r\n'), ['greeting', 554])
    assert.deepEqual(await at('CONNECT', 'SSH-2.0-x\r\n'), ['greeting', null])
    assert.deepEqual(await at('EHLO', '421 4.3.2 closing\r\n'), ['hello', 421])
    const closing = await failureWith((verb, socket) => {
      if (verb !== 'EHLO') return undefined
      socket.end()
      return null
    })
    assert.deepEqual([closing.phase, closing.message], ['hello', 'the server closed the connection'])
  })
})
