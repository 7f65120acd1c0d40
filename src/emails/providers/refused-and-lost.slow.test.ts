import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp, ok, type TestApp } from '../../../test/app.ts'
import { type Script, startScriptedServer } from '../smtp-client/fixtures/scripted-server.ts'

const hourMs = 3_600_000
let script: Script = () => undefined
const server = await startScriptedServer((...asked) => script(...asked))
after(() => server[Symbol.asyncDispose]())
const environment = {
  ...{ EMAIL_PROVIDER: 'smtp', SMTP_RELAY_URL: `smtp://127.0.0.1:${server.port}`, OUTBOUND_ALLOW: '127.0.0.1' },
  PUBLIC_URL: 'https://mail.shop.test',
}
const posthorn = await createTestApp(environment)

/** Refuses `gone@` and `later@`, and loses the answer to the message. */
const refuseAndLose: Script = (verb, socket, line) => {
  if (verb === 'RCPT' && line.includes('gone@')) return '550 5.1.1 no such user\r\n'
  if (verb === 'RCPT' && line.includes('later@')) return '450 4.2.0 greylisted\r\n'
  if (verb !== 'END') return undefined
  socket.destroy()
  return null
}

type Event = {
  type: string
  data: { bounce?: { bouncedRecipients: { emailAddress: string; diagnosticCode: string }[] } }
}

/**
 * Sends to three recipients while the relay answers so, and lets a day pass. Returns what follows, without the first
 * attempt.
 */
async function sendAndWait({ team: newTeam, runDueJobsAfter }: TestApp, later: Script) {
  const team = await newTeam()
  script = refuseAndLose
  const to = ['ada@a.test', 'gone@b.test', 'later@c.test']
  const email = await ok(team.api.post('/v1/emails', { from: `a@${team.domain}`, to, subject: 'x', text: 'y' }))
  script = later
  server.commands.length = 0
  for (let turn = 0; turn < 30; turn++) await runDueJobsAfter(turn < 5 ? 5000 : hourMs)
  const asked = server.commands.flatMap((line) => /^RCPT TO:<(.*)>/.exec(line)?.[1] ?? []).sort()
  const events: Event[] = await ok(team.api.get(`/v1/emails/${email.id}/events`))
  const { data: suppressed } = await ok(team.api.get('/v1/suppressions'))
  const status = async () => (await ok(team.api.get(`/v1/emails/${email.id}`))).status
  return { asked, events, answered: email.status, status: await status(), suppressed }
}

test('recipients that a relay refused before its answer was lost have bounced, and the others are tried again', async () => {
  const { asked, events, answered, status, suppressed } = await sendAndWait(posthorn, () => undefined)
  assert.deepEqual(asked, ['ada@a.test', 'later@c.test'])
  assert.deepEqual([answered, status], ['sent', 'bounced'])
  const types = events.map(({ type }) => type).sort()
  assert.deepEqual(types, ['bounced', 'delivery_delayed', 'outcome_unknown', 'sent'])
  const [bounced] = events.find(({ type }) => type === 'bounced')!.data.bounce!.bouncedRecipients
  assert.equal(bounced!.emailAddress, 'gone@b.test')
  assert.equal(bounced!.diagnosticCode, 'smtp; 550 5.1.1 no such user')
  assert.deepEqual(
    suppressed.map(({ email }: { email: string }) => email),
    ['gone@b.test'],
  )
})

test('a relay that always loses its answer gets the message three times, also after it refused some recipients', async () => {
  const { asked } = await sendAndWait(posthorn, refuseAndLose)
  assert.deepEqual(
    asked.filter((address) => address === 'ada@a.test'),
    ['ada@a.test', 'ada@a.test'],
  )
})

test('a recipient refused for now by a repeat does not add to the repeats of those whose answer is lost', async () => {
  const team = await posthorn.team()
  let asks = 0
  script = (verb, socket, line) => {
    if (verb === 'RCPT' && line.includes('later@') && asks++ > 0) return '450 4.2.0 later\r\n'
    if (verb !== 'END') return undefined
    socket.destroy()
    return null
  }
  // A dot alone is no text.
  const textsOf = () => server.texts.filter(({ length }) => length > 2).length
  const before = textsOf()
  const to = ['ada@a.test', 'later@c.test']
  await ok(team.api.post('/v1/emails', { from: `a@${team.domain}`, to, subject: 'x', text: 'y' }))
  for (let turn = 0; turn < 30; turn++) await posthorn.runDueJobsAfter(turn < 5 ? 5000 : hourMs)
  assert.equal(textsOf() - before, 3)
})

test('with EMAIL_LOST_REPLY=never only the recipients that were refused for now are tried again', async () => {
  const careful = await createTestApp({ ...environment, EMAIL_LOST_REPLY: 'never' })
  const { asked, events } = await sendAndWait(careful, () => undefined)
  assert.deepEqual(asked, ['later@c.test'])
  assert.equal(events.filter(({ type }) => type === 'bounced').length, 1)
})
