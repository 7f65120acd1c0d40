// needs: waiting
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { forAllAsync } from '../../../test/for-all.ts'
import { type Script, startScriptedServer } from './fixtures/scripted-server.ts'
import {
  codes,
  ENVELOPE,
  MESSAGE,
  open,
  SHORT,
  slowly,
  transactBothWays,
  transactWith,
} from './fixtures/transact-with.ts'
import { judgeTransaction } from './judge.ts'

/** For tests that name the command at which a server falls silent: a busy machine meets the limits of those before. */
const UNHURRIED = { ...SHORT, commandMs: 5000 }

describe('a transaction that goes wrong', { concurrency: true }, () => {
  test('a message is not handed over if its connection is lost before the final dot', async () => {
    const large = Buffer.from(`Subject: x\r\n\r\n${'x'.repeat(20_000_000)}\r\n`)
    const phases = { MAIL: 'mail', RCPT: 'recipient', DATA: 'data', TEXT: 'text' }
    for (const [where, phase] of Object.entries(phases)) {
      const result = await transactWith((verb, socket) => {
        if (verb !== where) return undefined
        socket.resetAndDestroy()
        return null
      }, large)
      // A reset overtakes the replies before it, so an earlier phase may be reported, but never `final`.
      const order = Object.values(phases)
      assert(order.indexOf(result.failure?.phase ?? '') <= order.indexOf(phase), `${where}: ${result.failure?.phase}`)
      assert.equal(judgeTransaction(result).kind, 'unavailable', where)
    }
  })

  test('a connection lost after the final dot leaves the outcome unknown', async () => {
    for (const cut of ['end', 'resetAndDestroy'] as const) {
      for (const result of await transactBothWays((verb, socket) => {
        if (verb !== 'END') return undefined
        socket[cut]()
        return null
      })) {
        assert.equal(result.failure?.phase, 'final')
        assert.equal(judgeTransaction(result).kind, 'unknown')
      }
    }
  })

  test('silence at any point ends in time, and leaves the outcome unknown only after the final dot', async () => {
    const silentFrom = (where: string): Script => {
      let silent = false
      return (verb) => {
        silent ||= verb === where
        return silent ? null : undefined
      }
    }
    const silent = async (where: string) => [
      await transactWith(silentFrom(where), MESSAGE, UNHURRIED),
      await transactWith(slowly(silentFrom(where)), MESSAGE, UNHURRIED),
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
        const verdict = judgeTransaction(result)
        assert.equal(verdict.kind, 'unavailable', where)
        assert.match(verdict.kind === 'unavailable' ? verdict.message : '', /421 4\.3\.2 shutting down/)
      }
    }
  })

  test('a refusal sent together with 354 is read before any text is sent', async () => {
    const script: Script = (verb) => (verb === 'DATA' ? '354 go\r\n421 4.3.2 no, stop\r\n' : undefined)
    for (const result of await transactBothWays(script)) assert.equal(judgeTransaction(result).kind, 'unavailable')
    const early: Script = (verb) => (verb === 'DATA' ? '354 go\r\n250 2.0.0 taken already\r\n' : undefined)
    for (const result of await transactBothWays(early)) assert.equal(result.failure?.phase, 'text')
  })

  test('a refusal in the middle of a long text is the reply to the message', async () => {
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

  test('a transaction fails if the server stops reading a long text', async () => {
    const large = Buffer.from(`Subject: x\r\n\r\n${'x'.repeat(20_000_000)}\r\n`)
    const stuck = await transactWith(
      (verb, socket) => {
        if (verb !== 'TEXT') return undefined
        socket.pause()
        return null
      },
      large,
      UNHURRIED,
    )
    assert.deepEqual([stuck.failure?.phase, judgeTransaction(stuck).kind], ['text', 'unavailable'])
  })

  test('replies that do not fit the commands end the connection, and no message is handed over', async () => {
    const twice: Script = (verb) => (verb === 'MAIL' ? '250 ok\r\n250 ok\r\n' : undefined)
    const eager: Script = (verb) => (verb === 'RCPT' ? '354 go\r\n' : undefined)
    const done: Script = (verb) => (verb === 'DATA' ? '250 taken\r\n' : undefined)
    const noise: Script = (verb) => (verb === 'RCPT' ? '\x00\xff{"error":1}\r\n' : undefined)
    for (const script of [twice, eager, done, noise]) {
      for (const result of await transactBothWays(script)) assert.equal(judgeTransaction(result).kind, 'unavailable')
    }
  })

  test('a transaction ends in time with a verdict, whatever the server sends and wherever it stops', async () => {
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
    await forAllAsync({ always: 25 }, verbs, bytes, fc.boolean(), async (where, said, closes) => {
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
      const { kind } = judgeTransaction(result)
      // After a 354 the text was sent, even if the server then sends something else.
      if (kind === 'unknown') assert(where === 'END' || said.startsWith('354'))
    })
  })

  test('an idle connection that the server ends is no longer alive', async () => {
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
