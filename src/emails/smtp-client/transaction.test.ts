import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { connect } from './connect.ts'
import { startRealServer } from './fixtures/real-server.ts'
import { type Script, startScriptedServer } from './fixtures/scripted-server.ts'
import {
  codes,
  ENVELOPE,
  MESSAGE,
  NO_PIPELINING,
  open,
  SHORT,
  slowly,
  transactBothWays,
  transactWith,
} from './fixtures/transact-with.ts'
import { judge } from './judge.ts'

describe('transaction', { concurrency: true }, () => {
  test('messages arrive byte for byte, dots, 8-bit text and megabytes included, over one connection', async () => {
    await using server = await startRealServer({ size: 30_000_000 })
    const connection = await connect({
      host: '127.0.0.1',
      port: server.port,
      tls: 'opportunistic',
      verify: false,
      localName: 'client.test',
    })
    const line = `${'0123456789abcdef'.repeat(4)}\r\n`
    const bodies = [
      'plain\r\n',
      '.\r\n..\r\n.a\r\n\r\n.\r\nMAIL FROM:<x@x.test>\r\n',
      'grüße\r\n',
      `${line.repeat(80_000)}.\r\n${line.repeat(80_000)}`,
      '',
    ]
    for (const body of bodies) {
      const raw = Buffer.from(`Subject: x\r\n\r\n${body}`)
      assert.equal((await connection.transaction(ENVELOPE, raw)).data?.code, 250)
      assert(server.messages.at(-1)?.raw.equals(raw), 'the message changed on its way')
    }
    assert.deepEqual(server.messages[0]?.to, ENVELOPE.to)
    await connection.quit()
  })

  test('with PIPELINING the envelope leaves in one write, without it a command at a time', async () => {
    const arrivals = async (hello: string | undefined) => {
      const chunks: string[] = []
      await transactWith((verb, socket) => {
        if (verb === 'CONNECT') socket.on('data', (chunk) => chunks.push(chunk.toString()))
        return verb === 'EHLO' ? hello : undefined
      })
      return chunks.slice(1)
    }
    const envelope = ['MAIL FROM:<a@a.test> SIZE=17', 'RCPT TO:<b@b.test>', 'RCPT TO:<c@c.test>', 'DATA']
    const [together, apart] = await Promise.all([arrivals(undefined), arrivals(NO_PIPELINING)])
    assert.deepEqual(together, [`${envelope.join('\r\n')}\r\n`, `${MESSAGE}.\r\n`])
    assert.deepEqual(
      apart.slice(1, 4),
      envelope.slice(1).map((command) => `${command}\r\n`),
    )
  })

  test('each recipient has its own answer, and the message goes to those accepted', async () => {
    const script: Script = (verb, _socket, line) =>
      verb === 'RCPT' && line.includes('b@b') ? '550 5.1.1 unknown\r\n' : undefined
    for (const result of await transactBothWays(script)) {
      assert.deepEqual(codes(result), { mail: 250, to: [550, 250], data: 250, failed: null })
      assert.equal(result.recipients[0]?.reply?.enhanced, '5.1.1')
    }
  })

  test('a refusal at any point is an answer, and the connection serves the next message', async () => {
    const refusals = {
      MAIL: { mail: 552, to: [null, null], data: null, failed: null },
      RCPT: { mail: 250, to: [552, 552], data: null, failed: null },
      DATA: { mail: 250, to: [250, 250], data: 552, failed: null },
      END: { mail: 250, to: [250, 250], data: 552, failed: null },
    }
    for (const [where, expected] of Object.entries(refusals)) {
      for (const hello of [undefined, NO_PIPELINING]) {
        let first = true
        let hasMail = false
        await using server = await startScriptedServer((verb) => {
          if (verb === 'EHLO') return hello
          if (verb === 'MAIL' && hasMail) return '503 nested MAIL\r\n'
          if (verb === where && first) {
            if (verb === 'END') first = hasMail = false
            return '552 5.3.4 no\r\n'
          }
          if (verb === 'RSET') first = hasMail = false
          if (verb === 'END') hasMail = false
          if (verb === 'MAIL') hasMail = true
          const outOfOrder = !hasMail || (verb === 'DATA' && where === 'RCPT' && first)
          return outOfOrder && (verb === 'RCPT' || verb === 'DATA') ? '503 bad sequence\r\n' : undefined
        })
        const connection = await open(server.port)
        assert.deepEqual(codes(await connection.transaction(ENVELOPE, MESSAGE)), expected, where)
        const second = codes(await connection.transaction(ENVELOPE, MESSAGE))
        assert.deepEqual(second, { mail: 250, to: [250, 250], data: 250, failed: null }, `after ${where}`)
        await connection.quit()
      }
    }
  })

  test('a server that wants the text though it took no recipient gets a dot alone', async () => {
    await using server = await startScriptedServer((verb) => (verb === 'RCPT' ? '550 no\r\n' : undefined))
    const connection = await open(server.port)
    const result = await connection.transaction(ENVELOPE, MESSAGE)
    assert.deepEqual(codes(result), { mail: 250, to: [550, 550], data: null, failed: null })
    assert.deepEqual(server.texts.map(String), ['\r\n'])
    connection.destroy()
  })

  test('a connection lost before the final dot was begun means: not handed over', async () => {
    const large = Buffer.from(`Subject: x\r\n\r\n${'x'.repeat(20_000_000)}\r\n`)
    const phases = { MAIL: 'mail', RCPT: 'recipient', DATA: 'data', TEXT: 'text' }
    for (const [where, phase] of Object.entries(phases)) {
      const result = await transactWith((verb, socket) => {
        if (verb !== where) return undefined
        socket.resetAndDestroy()
        return null
      }, large)
      // A reset overtakes the replies before it, so a phase may be told as an earlier one, never as `final`.
      const order = Object.values(phases)
      assert(order.indexOf(result.failure?.phase ?? '') <= order.indexOf(phase), `${where}: ${result.failure?.phase}`)
      assert.equal(judge(result).kind, 'unavailable', where)
    }
  })

  test('a connection lost after the final dot was written leaves the outcome unknown', async () => {
    for (const cut of ['end', 'resetAndDestroy'] as const) {
      for (const result of await transactBothWays((verb, socket) => {
        if (verb !== 'END') return undefined
        socket[cut]()
        return null
      })) {
        assert.equal(result.failure?.phase, 'final')
        assert.equal(judge(result).kind, 'unknown')
      }
    }
  })

  test('silence at any point ends in time, and only behind the final dot is it unknown', async () => {
    const silentFrom = (where: string): Script => {
      let silent = false
      return (verb) => {
        silent ||= verb === where
        return silent ? null : undefined
      }
    }
    const silent = async (where: string) => [
      await transactWith(silentFrom(where), MESSAGE, SHORT),
      await transactWith(slowly(silentFrom(where)), MESSAGE, SHORT),
    ]
    const all = await Promise.all(['MAIL', 'RCPT', 'DATA', 'END'].map(silent))
    assert.deepEqual(
      all.flat().map(({ failure }) => failure?.phase),
      ['mail', 'mail', 'recipient', 'recipient', 'data', 'data', 'final', 'final'],
    )
  })

  test('421 at any point is never a bounce', async () => {
    for (const where of ['MAIL', 'RCPT', 'DATA', 'END']) {
      for (const result of await transactBothWays((verb, socket) => {
        if (verb !== where) return undefined
        socket.end('421 4.3.2 shutting down\r\n')
        return null
      })) {
        const verdict = judge(result)
        assert.equal(verdict.kind, 'unavailable', where)
        assert.match(verdict.kind === 'unavailable' ? verdict.message : '', /421 4\.3\.2 shutting down/)
      }
    }
  })

  test('a refusal behind 354 in the same breath is heard before any text is written', async () => {
    const script: Script = (verb) => (verb === 'DATA' ? '354 go\r\n421 4.3.2 no, stop\r\n' : undefined)
    for (const result of await transactBothWays(script)) assert.equal(judge(result).kind, 'unavailable')
    const early: Script = (verb) => (verb === 'DATA' ? '354 go\r\n250 2.0.0 taken already\r\n' : undefined)
    for (const result of await transactBothWays(early)) assert.equal(result.failure?.phase, 'text')
  })

  test('a refusal in the middle of a long text is the answer', async () => {
    const large = Buffer.from(`Subject: x\r\n\r\n${'x'.repeat(20_000_000)}\r\n`)
    let said = false
    const result = await transactWith((verb, socket) => {
      if (verb !== 'TEXT') return undefined
      socket.pause()
      if (!said) socket.write('552 5.3.4 too much\r\n')
      said = true
      return null
    }, large)
    assert.deepEqual(codes(result), { mail: 250, to: [250, 250], data: 552, failed: null })
  })

  test('a server that stops taking a long text is given up', async () => {
    const large = Buffer.from(`Subject: x\r\n\r\n${'x'.repeat(20_000_000)}\r\n`)
    const stuck = await transactWith(
      (verb, socket) => {
        if (verb !== 'TEXT') return undefined
        socket.pause()
        return null
      },
      large,
      SHORT,
    )
    assert.deepEqual([stuck.failure?.phase, judge(stuck).kind], ['text', 'unavailable'])
  })

  test('answers that do not fit what was asked end the connection, and hand nothing over', async () => {
    const twice: Script = (verb) => (verb === 'MAIL' ? '250 ok\r\n250 ok\r\n' : undefined)
    const eager: Script = (verb) => (verb === 'RCPT' ? '354 go\r\n' : undefined)
    const done: Script = (verb) => (verb === 'DATA' ? '250 taken\r\n' : undefined)
    const noise: Script = (verb) => (verb === 'RCPT' ? '\x00\xff{"error":1}\r\n' : undefined)
    for (const script of [twice, eager, done, noise]) {
      for (const result of await transactBothWays(script)) assert.equal(judge(result).kind, 'unavailable')
    }
  })

  test('whatever a server says, and wherever it is cut, a transaction ends in time with a verdict', async () => {
    const verbs = fc.constantFrom('MAIL', 'RCPT', 'DATA', 'END')
    const bytes = fc.oneof(
      fc.constantFrom(
        '250 ok\r\n',
        '354 go\r\n',
        '250-ok\r\n',
        '550 no\r\n',
        '421 bye\r\n',
        '250 ok\r\n250 ok\r\n',
        '2',
      ),
      fc.string({ maxLength: 30 }),
    )
    await fc.assert(
      fc.asyncProperty(verbs, bytes, fc.boolean(), async (where, said, closes) => {
        const result = await transactWith(
          (verb, socket) => {
            if (verb !== where) return undefined
            socket.write(said)
            if (closes) socket.end()
            return null
          },
          MESSAGE,
          SHORT,
        )
        const { kind } = judge(result)
        // A 354 that the server then does not stand by has had its text.
        if (kind === 'unknown') assert(where === 'END' || said.startsWith('354'))
      }),
      { numRuns: 25, interruptAfterTimeLimit: 1500 },
    )
  })

  test('a connection that turned bad is not alive any more; an idle one hears the server end it', async () => {
    await using server = await startScriptedServer((verb, socket) => {
      if (verb === 'END') socket.end('250 ok\r\n421 idle too long\r\n')
      return verb === 'END' ? null : undefined
    })
    const connection = await open(server.port)
    const lost = new Promise<void>((resolve) => connection.watch({ room() {}, lost: resolve }))
    assert.equal((await connection.transaction(ENVELOPE, MESSAGE)).data?.code, 250)
    await lost
    assert.equal(connection.alive, false)
    assert.equal((await connection.transaction(ENVELOPE, MESSAGE)).failure?.phase, 'mail')
  })
})
