import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import nodemailer from 'nodemailer'
import { forAllAsync } from '../../../test/for-all.ts'
import { type Script, startScriptedServer } from './fixtures/scripted-server.ts'
import { ENVELOPE, MESSAGE, NO_PIPELINING, open } from './fixtures/transact-with.ts'
import { judgeTransaction } from './judge.ts'

let script: Script = () => undefined
const server = await startScriptedServer((...asked) => script(...asked))
after(() => server[Symbol.asyncDispose]())
// Its pool keeps connections, which a reply may have spoilt, so each case has one of its own.
const theirs = () =>
  nodemailer.createTransport({ host: '127.0.0.1', port: server.port, ignoreTLS: true, name: 'client.test', pool: true })

/** Replies that both read alike; null is the usual one. `cut` ends the connection. */
const reply = fc.constantFrom(
  null,
  null,
  null,
  '421 4.3.2 later',
  '450 4.2.0 later',
  '452 full',
  '550 5.1.1 no',
  '552 large',
  'cut',
)
const replies = fc.record({
  MAIL: reply,
  first: reply,
  second: reply,
  DATA: reply,
  END: reply,
  hasPipelining: fc.boolean(),
})
type Replies = typeof replies extends fc.Arbitrary<infer R> ? R : never

function answering(given: Replies): Script {
  return (verb, socket, line) => {
    if (verb === 'EHLO' && !given.hasPipelining) return NO_PIPELINING
    const point = verb === 'RCPT' ? (line.includes(ENVELOPE.to[0]!) ? 'first' : 'second') : verb
    const told = given[point as 'MAIL'] ?? null
    if (told !== 'cut') return told === null ? undefined : `${told}\r\n`
    socket.destroy()
    return null
  }
}

/** Returns the recipients that have the message. */
async function acceptedByTheirs(): Promise<string[]> {
  const transport = theirs()
  try {
    const { accepted } = await transport.sendMail({ envelope: ENVELOPE, raw: MESSAGE })
    return accepted.map(String)
  } catch {
    return []
  } finally {
    transport.close()
  }
}

test('whatever a server answers, the same recipients have the message as with nodemailer, and each refusal is judged by its code', async () => {
  await forAllAsync({ always: 400 }, replies, async (given) => {
    script = answering(given)
    const connection = await open(server.port)
    const result = await connection.transaction(ENVELOPE, MESSAGE)
    connection.destroy()
    const verdict = judgeTransaction(result)
    assert.deepEqual(verdict.kind === 'answered' ? verdict.accepted : [], await acceptedByTheirs())
    // A message is out of our hands only after its final dot.
    if (verdict.kind === 'unknown') assert.equal(given.END, 'cut')
    const all = Object.values(given)
    const hasTemporary = all.some((told) => typeof told === 'string' && (told === 'cut' || told.startsWith('4')))
    if (!hasTemporary) assert.equal(verdict.kind, 'answered')
    const hasPermanent = all.some((told) => typeof told === 'string' && told.startsWith('5'))
    if (!hasPermanent && verdict.kind === 'answered') assert.ok(verdict.accepted.length > 0)
  })
})
