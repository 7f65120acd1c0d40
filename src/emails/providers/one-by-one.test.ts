import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { type Script, startScriptedServer } from '../smtp-client/fixtures/scripted-server.ts'
import { smtpProvider } from './smtp.ts'

let script: Script = () => undefined
const server = await startScriptedServer((...asked) => script(...asked))
after(() => server[Symbol.asyncDispose]())
const relay = smtpProvider({ url: `smtp://127.0.0.1:${server.port}`, localName: 'posthorn.test' })
const posthorn = await createTestApp({ INBOUND_SMTP_PORT: '0' }, { emailProvider: relay })
const team = await posthorn.team()

/** Sends to the addresses. Returns the answer, the recipients in the order of their transactions, and the events. */
async function send(...to: string[]) {
  server.commands.length = 0
  const email = { from: `a@${team.domain}`, to, subject: 'x', text: 'y' }
  const { status, body } = await team.api.post('/v1/emails', email)
  const events = async (): Promise<string[]> => {
    const { body: all } = await team.api.get(`/v1/emails/${body.id}/events`)
    return all.map(({ type }: { type: string }) => type).sort()
  }
  return { status, body, events, asked }
}

function asked(): string[] {
  return server.commands.flatMap((line) => /^RCPT TO:<(.*)>/.exec(line)?.[1] ?? [])
}

test('only the deferred recipient is tried again, and the others have the email', async () => {
  script = (verb, _socket, line) => (verb === 'RCPT' && line.includes('later@') ? '451 4.7.1 later\r\n' : undefined)
  const { status, body, events } = await send('ada@b.test', 'later@b.test', 'eve@b.test')
  assert.deepEqual([status, body.status], [200, 'sent'])
  assert.deepEqual(await events(), ['delivery_delayed', 'sent'])
  script = () => undefined
  server.commands.length = 0
  await posthorn.runDueJobsAfter(5000)
  assert.deepEqual(asked(), ['later@b.test'])
  await posthorn.runDueJobsAfter(24 * 3_600_000)
  assert.deepEqual(asked(), ['later@b.test'])
})

test('a connection lost after the message leaves that recipient unknown, and all without an answer are tried later', async () => {
  let ends = 0
  script = (verb, socket) => {
    if (verb !== 'END' || ++ends > 1) return undefined
    socket.resetAndDestroy()
    return null
  }
  const { status, body, events } = await send('lost@b.test', 'next@b.test')
  assert.deepEqual([status, body.status, asked()], [200, 'sent', ['lost@b.test']])
  assert.deepEqual(await events(), ['delivery_delayed', 'outcome_unknown', 'sent'])
  assert.equal((await team.api.get(`/v1/emails/${body.id}`)).body.status, 'sent')
  await posthorn.runDueJobsAfter(5000)
  assert.deepEqual(asked(), ['lost@b.test', 'lost@b.test', 'next@b.test'])
})

test('an email that reached no recipient waits if any may be tried again, and bounces otherwise', async () => {
  script = (verb, _socket, line) =>
    verb === 'RCPT' ? (line.includes('b@b') ? '550 5.1.1 no\r\n' : '450 4.2.0 greylisted\r\n') : undefined
  const later = await send('b@b.test', 'c@c.test')
  assert.deepEqual([later.status, later.body.status], [200, 'delayed'])
  script = (verb) => (verb === 'RCPT' ? '550 5.1.1 no\r\n' : undefined)
  const refused = await send('b@b.test', 'c@c.test')
  assert.deepEqual([refused.status, refused.body.status], [200, 'bounced'])
  assert.deepEqual(await refused.events(), ['bounced', 'bounced'])
})

test('an unreachable relay is tried once for any number of recipients', async () => {
  script = (verb, socket) => {
    if (verb !== 'MAIL') return undefined
    socket.destroy()
    return null
  }
  const { status, body } = await send(...Array.from({ length: 50 }, (_, at) => `n${at}@b.test`))
  assert.deepEqual([status, body.status], [200, 'delayed'])
  assert(server.commands.filter((line) => line.startsWith('MAIL')).length <= 2)
})
