import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { slowTest } from '../../../test/slow.ts'
import { connect } from './connect.ts'
import { startRealServer } from './fixtures/real-server.ts'
import { type Script, startScriptedServer } from './fixtures/scripted-server.ts'
import {
  codes,
  ENVELOPE,
  MESSAGE,
  NO_PIPELINING,
  open,
  transactBothWays,
  transactWith,
} from './fixtures/transact-with.ts'

describe('transaction', { concurrency: true }, () => {
  slowTest('messages arrive byte for byte over one connection, including dots, 8-bit text and megabytes', async () => {
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

  test('the envelope is sent in one write with PIPELINING, and one command at a time without', async () => {
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

  test('each recipient has its own reply, and the message goes to those accepted', async () => {
    const script: Script = (verb, _socket, line) =>
      verb === 'RCPT' && line.includes('b@b') ? '550 5.1.1 unknown\r\n' : undefined
    for (const result of await transactBothWays(script)) {
      assert.deepEqual(codes(result), { mail: 250, to: [550, 250], data: 250, failed: null })
      assert.equal(result.recipients[0]?.reply?.enhanced, '5.1.1')
    }
  })

  test('a refusal at any point answers the message, and the connection serves the next one', async () => {
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

  test('a server that asks for the text although it accepted no recipient gets only a dot', async () => {
    await using server = await startScriptedServer((verb) => (verb === 'RCPT' ? '550 no\r\n' : undefined))
    const connection = await open(server.port)
    const result = await connection.transaction(ENVELOPE, MESSAGE)
    assert.deepEqual(codes(result), { mail: 250, to: [550, 550], data: null, failed: null })
    assert.deepEqual(server.texts.map(String), ['\r\n'])
    connection.destroy()
  })
})
