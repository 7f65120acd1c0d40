import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, test } from 'node:test'
import { until } from '../../../test/patience.ts'
import { slowTest } from '../../../test/slow.ts'
import { startRealServer } from './fixtures/real-server.ts'
import { type Script, startScriptedServer } from './fixtures/scripted-server.ts'
import { createPool, type Pool, type PoolOptions } from './pool.ts'

const MESSAGE = Buffer.from('Subject: x\r\n\r\ny\r\n')
const ENVELOPE = { from: 'a@a.test', to: ['b@b.test'] }

function poolFor(port: number, more: Partial<PoolOptions>): Pool & AsyncDisposable {
  const options = {
    host: '127.0.0.1',
    port,
    tls: 'none',
    verify: false,
    localName: 'client.test',
  } as const
  const pool = createPool({ ...options, ...more })
  return { ...pool, [Symbol.asyncDispose]: pool.close }
}

function sendMany(pool: Pool, count: number) {
  return Promise.all(Array.from({ length: count }, () => pool.send(ENVELOPE, MESSAGE)))
}

/** Receives a message and sends nothing more from then on, not even the reply to its end. */
function silentFromEnd(): Script {
  const silent = new WeakSet<object>()
  return (verb, socket) => {
    if (verb === 'END') silent.add(socket)
    return silent.has(socket) ? null : undefined
  }
}

describe('pool', { concurrency: true }, () => {
  test('many messages share few connections, and each arrives once', async () => {
    await using server = await startRealServer({ maxClients: 4 })
    await using pool = poolFor(server.port, { connectionsMax: 4 })
    const subjects = Array.from({ length: 300 }, (_, at) => `Subject: ${at}\r\n\r\n.\r\n`)
    const results = await Promise.all(subjects.map((raw) => pool.send(ENVELOPE, Buffer.from(raw))))
    assert(results.every(({ data }) => data?.code === 250))
    assert.deepEqual(server.messages.map(({ raw }) => raw.toString()).sort(), subjects.sort())
    assert.deepEqual(pool.counters(), { open: 4, idle: 4, waiting: 0 })
  })

  slowTest('a sender that stops waiting learns its message’s phase', async () => {
    await using server = await startScriptedServer(silentFromEnd())
    await using pool = poolFor(server.port, { connectionsMax: 1, closeMs: 0 })
    const lost = pool.send(ENVELOPE, MESSAGE, { giveUpAt: performance.now() + 5000 })
    await until(() => server.texts.length === 1)
    const behind = pool.send(ENVELOPE, MESSAGE)
    const waiting = pool.send(ENVELOPE, MESSAGE, { giveUpAt: performance.now() })
    assert.equal((await waiting).failure?.phase, 'queue')
    assert.equal((await lost).failure?.phase, 'final')
    assert.equal(server.texts.length, 1)
    await pool.close()
    assert.notEqual((await behind).failure, null)
  })

  slowTest('a sender that stops waiting does not cut off the message before it on its connection', async () => {
    let [isSilent, answer] = [false, () => {}]
    await using server = await startScriptedServer((verb, socket) => {
      if (verb === 'END' && server.texts.length === 1) {
        isSilent = true
        answer = () => {
          isSilent = false
          // The replies to the message and to the envelope behind it.
          socket.write('250 taken\r\n250 reset\r\n250 from\r\n250 to\r\n354 go\r\n')
        }
      }
      return isSilent ? null : undefined
    })
    await using pool = poolFor(server.port, { connectionsMax: 1 })
    const first = pool.send(ENVELOPE, MESSAGE)
    const behind = await pool.send(ENVELOPE, MESSAGE, { giveUpAt: performance.now() + 5000 })
    assert.equal(behind.failure?.phase, 'queue')
    await until(() => server.texts.length === 1)
    answer()
    assert.equal((await first).data?.code, 250)
    assert.equal((await pool.send(ENVELOPE, MESSAGE)).data?.code, 250)
    assert(!server.commands.includes('Subject: x'))
  })

  slowTest('a message behind another that gets no reply goes over another connection, once', async () => {
    let [silent, greetSecond]: [Socket | null, () => void] = [null, () => {}]
    await using server = await startScriptedServer((verb, socket) => {
      if (verb === 'CONNECT' && server.connections === 2 && !silent) {
        greetSecond = () => socket.write('220 scripted ESMTP\r\n')
        return null
      }
      if (verb === 'END' && server.texts.length === 1) {
        silent = socket
        greetSecond()
      }
      return socket === silent ? null : undefined
    })
    await using pool = poolFor(server.port, { connectionsMax: 2 })
    const first = pool.send(ENVELOPE, MESSAGE)
    const behind = pool.send(ENVELOPE, Buffer.from('Subject: behind\r\n\r\ny\r\n'))
    assert.equal((await behind).data?.code, 250)
    assert.equal(server.connections, 2)
    // The replies to the first message and to the envelope behind it.
    silent!.write('250 taken\r\n250 reset\r\n250 from\r\n250 to\r\n354 go\r\n')
    assert.equal((await first).data?.code, 250)
    await until(() => pool.counters().open === 1)
    assert.equal(server.texts.filter((text) => text.includes('behind')).length, 1)
  })

  test('the next envelope is sent right behind the previous text, in the same write', async () => {
    const chunks: string[] = []
    await using server = await startScriptedServer((verb, socket) => {
      if (verb === 'CONNECT') socket.on('data', (chunk) => chunks.push(chunk.toString()))
      return undefined
    })
    await using pool = poolFor(server.port, { connectionsMax: 1 })
    await sendMany(pool, 3)
    const envelope = `MAIL FROM:<a@a.test> SIZE=${MESSAGE.length}\r\nRCPT TO:<b@b.test>\r\nDATA\r\n`
    assert.deepEqual(chunks.slice(1), [
      envelope,
      `${MESSAGE}.\r\nRSET\r\n${envelope}`,
      `${MESSAGE}.\r\nRSET\r\n${envelope}`,
      `${MESSAGE}.\r\n`,
    ])
  })

  test('a connection serves a limited number of messages, and an idle one ends with QUIT', async () => {
    await using server = await startScriptedServer()
    await using pool = poolFor(server.port, { connectionsMax: 1, messagesPerConnectionMax: 2, idleMs: 20 })
    await sendMany(pool, 5)
    await until(() => pool.counters().open === 0)
    assert.equal(server.connections, 3)
    assert.equal(server.commands.filter((command) => command === 'QUIT').length, 3)
  })

  test('a message whose idle connection the server has ended is sent once more, over a new one', async () => {
    let dead = 0
    const script: Script = (verb, socket) => {
      // Each connection accepts one message, and answers its second MAIL with 421.
      if (verb === 'END') return '250 taken\r\n'
      if (verb !== 'MAIL' || !used.has(socket)) {
        if (verb === 'MAIL') used.add(socket)
        return undefined
      }
      dead++
      socket.end('421 4.4.2 idle too long\r\n')
      return null
    }
    const used = new WeakSet<object>()
    await using server = await startScriptedServer(script)
    await using pool = poolFor(server.port, { connectionsMax: 1 })
    const results = [
      await pool.send(ENVELOPE, MESSAGE),
      await pool.send(ENVELOPE, MESSAGE),
      ...(await sendMany(pool, 3)),
    ]
    assert(results.every(({ data }) => data?.code === 250))
    assert.equal(server.texts.length, results.length)
    assert(dead >= 2)
  })

  test('a connection lost after the final dot leaves the outcome of that message alone unknown', async () => {
    let cut = false
    await using server = await startScriptedServer((verb, socket) => {
      if (verb !== 'END' || cut) return undefined
      cut = true
      socket.resetAndDestroy()
      return null
    })
    await using pool = poolFor(server.port, { connectionsMax: 1 })
    const [first, ...others] = await sendMany(pool, 4)
    assert.equal(first?.failure?.phase, 'final')
    assert(others.every(({ data }) => data?.code === 250))
    assert.equal(server.texts.length, 4)
  })

  test('all waiting messages fail at once if the server cannot be reached', async () => {
    const server = await startScriptedServer()
    await server[Symbol.asyncDispose]()
    await using pool = poolFor(server.port, { connectionsMax: 2 })
    const results = await sendMany(pool, 50)
    assert(results.every(({ failure }) => failure?.phase === 'connect'))
    assert.deepEqual(pool.counters(), { open: 0, idle: 0, waiting: 0 })
  })

  test('all messages are sent if the server accepts fewer connections than wanted', async () => {
    let greeted = 0
    await using server = await startScriptedServer((verb, socket) => {
      if (verb !== 'CONNECT' || ++greeted <= 2) return undefined
      socket.end('421 4.7.0 too many connections\r\n')
      return null
    })
    await using pool = poolFor(server.port, { connectionsMax: 6 })
    const results = await sendMany(pool, 40)
    assert(results.every(({ data }) => data?.code === 250))
  })

  slowTest('the queue is bounded in number, in bytes and in time', async () => {
    await using server = await startScriptedServer(silentFromEnd())
    // The connection is busy until the pool is closed.
    const bounds = { connectionsMax: 1, waitMs: 400, closeMs: 30 }
    await using few = poolFor(server.port, { ...bounds, waitingMax: 2 })
    await using small = poolFor(server.port, { ...bounds, waitingBytesMax: MESSAGE.length * 2 })
    const fill = async (pool: Pool) => {
      const busy = pool.send(ENVELOPE, MESSAGE)
      await until(() => pool.counters().open === 1 && pool.counters().waiting === 0)
      await until(() => server.texts.length === 2)
      const waiting = Promise.all([pool.send(ENVELOPE, MESSAGE), pool.send(ENVELOPE, MESSAGE)])
      const refused = await pool.send(ENVELOPE, MESSAGE)
      assert.match(refused.failure?.message ?? '', /2 messages already wait/)
      for (const { failure } of await waiting) assert.equal(failure?.phase, 'queue')
      await pool.close()
      assert.equal((await busy).failure?.phase, 'final')
    }
    await Promise.all([fill(few), fill(small)])
  })

  test('closing finishes messages under way, sends QUIT and accepts no further message', async () => {
    await using server = await startScriptedServer()
    const pool = poolFor(server.port, { connectionsMax: 2 })
    const sent = sendMany(pool, 20)
    const closed = pool.close()
    assert.equal((await pool.send(ENVELOPE, MESSAGE)).failure?.phase, 'queue')
    assert((await sent).every(({ data }) => data?.code === 250))
    await closed
    assert.equal(pool.counters().open, 0)
    assert.equal(server.commands.filter((command) => command === 'QUIT').length, server.connections)
  })

  test('closing waits only a limited time for a server that does not answer', async () => {
    await using server = await startScriptedServer(silentFromEnd())
    const pool = poolFor(server.port, { connectionsMax: 1, closeMs: 30 })
    const sent = sendMany(pool, 3)
    await until(() => server.commands.filter((command) => command.startsWith('MAIL')).length === 2)
    await until(() => server.texts.length === 1)
    await pool.close()
    assert.deepEqual(
      (await sent).map(({ failure }) => failure?.phase),
      ['final', 'mail', 'queue'],
    )
  })
})
