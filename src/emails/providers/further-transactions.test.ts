import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { type Script, startScriptedServer } from '../smtp-client/fixtures/scripted-server.ts'
import { createWorld } from './direct/fixtures/world.ts'
import { refuseWith, startAmazon } from './ses/fixtures/amazon.ts'
import { sesProvider } from './ses.ts'

let script: Script = () => undefined
const server = await startScriptedServer((...asked) => script(...asked))
after(() => server[Symbol.asyncDispose]())
const posthorn = await createTestApp({
  ...{ EMAIL_PROVIDER: 'smtp', SMTP_RELAY_URL: `smtp://127.0.0.1:${server.port}`, OUTBOUND_ALLOW: '127.0.0.1' },
  PUBLIC_URL: 'https://mail.shop.test',
})
const world = await createWorld()
const host = await world.script('127.0.4.1', (...asked) => script(...asked))
world.domainAt('roomy.test', '127.0.4.1')

/** Takes two recipients in each transaction, and answers so to the others. */
function takingTwo(reply: string): Script {
  let taken = 0
  return (verb) => {
    if (verb === 'MAIL') taken = 0
    return verb === 'RCPT' && ++taken > 2 ? `${reply}\r\n` : undefined
  }
}

const five = [1, 2, 3, 4, 5].map((number) => `n${number}@roomy.test`)

/** A dot alone is no text. */
const textsOf = ({ texts }: typeof server) => texts.filter(({ length }) => length > 2).length

/** Sends to five recipients by a relay. Returns the number of texts, and the types of the events. */
async function sendByRelay() {
  const team = await posthorn.team()
  const before = textsOf(server)
  const { body } = await team.api.post('/v1/emails', { from: `a@${team.domain}`, to: five, subject: 'x', text: 'y' })
  const { body: events } = await team.api.get(`/v1/emails/${body.id}/events`)
  return { texts: textsOf(server) - before, types: events.map(({ type }: { type: string }) => type).sort() }
}

for (const reply of ['452 4.5.3 Too many recipients', '452 enough', '552 too many recipients', '552 5.5.3 too many']) {
  test(`recipients for whom a transaction has no room get the message at once in the next, after ${reply}`, async () => {
    script = takingTwo(reply)
    assert.deepEqual(await sendByRelay(), { texts: 3, types: ['sent'] })

    const sender = await world.sender()
    const before = textsOf(host)
    const { id } = await sender.send(...five)
    await world.runDueJobs()
    assert.equal(textsOf(host) - before, 3)
    assert.equal((await sender.email(id)).status, 'delivered')
    assert.ok(!(await sender.story(id)).includes('delivery_delayed'))
  })
}

test('a relay that takes no more recipients even alone is asked again later for those', async () => {
  let taken = 0
  script = (verb) => (verb === 'RCPT' && ++taken > 2 ? '452 4.5.3 enough\r\n' : undefined)
  assert.deepEqual(await sendByRelay(), { texts: 1, types: ['delivery_delayed', 'sent'] })
})

test('a full mailbox is no lack of room in the transaction', async () => {
  script = takingTwo('452 4.2.2 mailbox full')
  assert.deepEqual(await sendByRelay(), { texts: 1, types: ['delivery_delayed', 'sent'] })
  script = takingTwo('552 5.2.2 mailbox full')
  assert.deepEqual(await sendByRelay(), { texts: 1, types: ['bounced', 'bounced', 'bounced', 'sent'] })
})

test('a relay is greeted with the host of PUBLIC_URL', async () => {
  script = () => undefined
  await sendByRelay()
  const greetings = new Set(server.commands.filter((line) => line.startsWith('EHLO')))
  assert.deepEqual([...greetings], ['EHLO mail.shop.test'])
})

test('more recipients than Amazon takes at once get the message by further calls, and wait for them if an answer is lost', async () => {
  const amazon = await startAmazon()
  const provider = sesProvider({ configurationSet: null, endpoint: amazon.url, tagsOf: () => ({}) })
  after(() => provider.close())
  const to = Array.from({ length: 120 }, (_, at) => `n${at}@b.test`)
  const message = {
    ...{ teamId: 't', emailId: 'e', domainName: 'a.test', region: 'us-east-1', tls: 'opportunistic' as const },
    ...{ messageId: '<e@a.test>', raw: Buffer.from('Subject: x\r\n\r\ny\r\n'), at: new Date() },
    envelope: { from: 'r@send.a.test', to },
    summary: { from: 'a@a.test', to, bcc: [], subject: 'x' },
  }
  const outcome = await provider.send(message)
  assert.deepEqual(outcome.kind === 'answered' && outcome.accepted, to)
  const calls = amazon.sent.map(({ Destination }) => Destination.ToAddresses)
  assert.deepEqual([calls.map(({ length }) => length), calls.flat()], [[50, 50, 20], to])
  const usual = amazon.answer
  amazon.answer = (request, response) => {
    amazon.answer = refuseWith(503, 'ServiceUnavailable', 'later')
    usual(request, response)
  }
  const half = await provider.send(message)
  assert(half.kind === 'answered')
  assert.deepEqual([half.accepted, half.open?.map(({ recipient }) => recipient)], [to.slice(0, 50), to.slice(50)])

  amazon.answer = (request) => void request.socket.destroy()
  const before = amazon.sent.length
  const lost = await provider.send(message)
  assert(lost.kind === 'answered')
  assert.equal(amazon.sent.length - before, 1)
  const results = to.map((recipient, at) => ({ recipient, result: at < 50 ? 'lost' : 'deferred' }))
  assert.deepEqual([lost.accepted, lost.open?.map(({ recipient, result }) => ({ recipient, result }))], [[], results])
})
