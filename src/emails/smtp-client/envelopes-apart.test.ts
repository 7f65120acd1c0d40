import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forAllAsync } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import { type KeepingServer, startKeepingServer, type Told } from './fixtures/keeping-server.ts'
import { judgeTransaction } from './judge.ts'
import { createPool } from './pool.ts'
import type { TransactionResult } from './transaction.ts'

const names = ['m0', 'm1', 'm2', 'm3']
const recipientsOf = (name: string) => [`${name}.one@b.test`, `${name}.two@b.test`]
const textOf = (name: string) => `Subject: ${name}\r\n\r\n.${name}\r\n`

/** Sends four messages to two recipients each over one connection at a time. */
async function sendAll(server: KeepingServer): Promise<Map<string, TransactionResult>> {
  const pool = createPool({
    ...{ host: '127.0.0.1', port: server.port, tls: 'none', verify: false, localName: 'client.test' },
    connectionsMax: 1,
  } as const)
  const send = async (name: string) => {
    const envelope = { from: `${name}@a.test`, to: recipientsOf(name) }
    return [name, await pool.send(envelope, Buffer.from(textOf(name)))] as const
  }
  const results = new Map(await Promise.all(names.map(send)))
  await pool.close()
  return results
}

function acceptedOf(result: TransactionResult): string[] {
  const verdict = judgeTransaction(result)
  return verdict.kind === 'answered' ? verdict.accepted : []
}

/** Each text reached its own recipients only, and an empty message none at all. */
function checkTexts({ received }: KeepingServer) {
  for (const { to, text } of received) {
    const name = /^Subject: (m\d)/.exec(text)?.[1]
    if (name === undefined) assert.deepEqual([text, to], ['', []])
    else for (const one of to) assert.ok(one.startsWith(`${name}.`), `${name} reached ${one}`)
  }
}

const ways = [
  { hasPipelining: true, isStrict: false },
  { hasPipelining: false, isStrict: false },
  { hasPipelining: true, isStrict: true },
]

for (const [how, way] of Object.entries(ways)) {
  test(`a refusal of one text touches no other message, way ${how}`, async () => {
    for (const refusal of ['550 5.7.1 no', '451 4.7.1 later', '554 5.6.0 never']) {
      let texts = 0
      await using server = await startKeepingServer(
        (verb) => (verb === 'END' && ++texts === 1 ? refusal : undefined),
        way,
      )
      const results = await sendAll(server)
      checkTexts(server)
      assert.deepEqual(
        server.received.flatMap(({ to, isTaken }) => (isTaken ? [to] : [])).sort(),
        ['m1', 'm2', 'm3'].map(recipientsOf),
      )
      for (const name of ['m1', 'm2', 'm3']) assert.deepEqual(acceptedOf(results.get(name)!), recipientsOf(name))
    }
  })
}

test('a server that takes recipients after it refused MAIL, and asks for the text, gets no dot', async () => {
  for (const mail of ['451 4.3.0 later', '550 5.7.1 no', '503 5.5.1 nested MAIL']) {
    let asked = 0
    await using server = await startKeepingServer((verb) => {
      if (verb === 'MAIL' && ++asked === 2) return mail
      return verb === 'RCPT' ? '250 2.1.5 ok' : verb === 'DATA' ? '354 go' : undefined
    })
    await sendAll(server)
    checkTexts(server)
  }
})

test('a server that refuses RSET gets each message over a new connection', async () => {
  for (const reply of ['502 5.5.2 unknown', '451 4.3.0 later', '354 what', '550 5.0.0 no']) {
    await using server = await startKeepingServer((verb) => (verb === 'RSET' ? reply : undefined))
    const results = await sendAll(server)
    for (const name of names) assert.deepEqual(acceptedOf(results.get(name)!), recipientsOf(name))
    assert.equal(server.received.length, 4)
  }
})

test('a host that wants each answer first gets no bounce, and is spoken to so from then on', async () => {
  await using server = await startKeepingServer(() => undefined, { isStrict: true })
  const results = await sendAll(server)
  for (const name of names) assert.deepEqual(acceptedOf(results.get(name)!), recipientsOf(name))
  assert.equal(server.received.length, 4)
  // The second envelope came too early. It gets a connection, and so does what waits.
  assert.ok(server.connections <= 3, `${server.connections} connections`)
})

const replies = ['250 ok', '251 forwarded', '354 go', '421 bye', '450 later', '451 4.3.0 later', '452 4.5.3 many']
replies.push('500 what', '501 5.5.4 syntax', '502 what', '503 5.5.1 order', '504 what', '530 login', '535 login')
replies.push('550 5.1.1 unknown', '552 large', '553 name', '554 5.7.1 no', 'cut')
/** Mostly what the protocol wants, so that conversations get far. */
const told = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom(...replies) },
)

propertyTest(
  'whatever a server answers at any point, each message reaches its own recipients, and each answer counts for its own',
  async () => {
    const way = fc.constantFrom(...ways)
    await forAllAsync(1000, fc.array(told, { maxLength: 40 }), way, async (script: Told[], how) => {
      let at = 0
      await using server = await startKeepingServer(() => script[at++], how)
      const results = await sendAll(server)
      checkTexts(server)
      for (const [name, result] of results) {
        const taken = server.received.filter(({ text, isTaken }) => isTaken && text.startsWith(`Subject: ${name}`))
        const verdict = judgeTransaction(result)
        if (verdict.kind !== 'unknown') assert.deepEqual(acceptedOf(result), taken[0]?.to ?? [])
        assert.ok(taken.length <= 1, 'a message was handed over twice')
        if (verdict.kind !== 'answered') continue
        for (const { reply, permanent } of verdict.refused) {
          assert.match(reply.text, new RegExp(`\\b${name}\\b`), 'the answer to another message counted')
          assert.ok(!permanent || !/^(50[0234]|53\d)$/.test(String(reply.code)), 'an error of the session is a bounce')
        }
      }
    })
  },
)
