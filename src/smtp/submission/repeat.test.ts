import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EmailAnswer, EmailProvider, OutboundMessage } from '../../emails/provider.ts'
import { startSubmission } from './fixtures/start.ts'
import { talkTo } from './fixtures/talk.ts'

const handed: OutboundMessage[] = []
const { promise: answer, resolve: answerFirst } = Promise.withResolvers<EmailAnswer>()
const answered = (to: string[]): EmailAnswer => ({ kind: 'answered', accepted: to, facts: [], response: '250 ok' })

/** Leaves the first message unanswered until `answerFirst` is called, as if its process were killed meanwhile. */
const provider: EmailProvider = {
  name: 'held',
  signs: false,
  send(message) {
    handed.push(message)
    return handed.length === 1 ? answer : Promise.resolve(answered(message.envelope.to))
  },
  close: async () => undefined,
}
const { posthorn, smtps } = await startSubmission({}, { emailProvider: provider })

test('a process that continues the work of a dead one hands over the same octets to the same recipients', async () => {
  const team = await posthorn.team()
  const talk = await talkTo(smtps)
  await talk.logIn(team.key)
  for (const line of ['MAIL FROM:<>', 'RCPT TO:<ada@example.com>', 'RCPT TO:<eve@example.com>', 'DATA'])
    await talk.say(line)
  const reply = talk.say(
    `From: hello@${team.domain}\r\nTo: ada@example.com\r\nBcc: eve@example.com\r\n\r\n..\r\nGrüße\r\n.`,
  )
  while (handed.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  posthorn.clock.advance(31_000)
  await (await posthorn.another()).app.jobs.runDue()
  const [first, second] = handed
  assert.deepEqual(second!.raw.toString('latin1'), first!.raw.toString('latin1'))
  assert.doesNotMatch(first!.raw.toString(), /eve@/)
  assert.deepEqual(first!.envelope.to, ['ada@example.com', 'eve@example.com'])
  assert.deepEqual(second!.envelope, first!.envelope)
  assert.deepEqual(second!.summary, first!.summary)
  assert.equal(second!.messageId, first!.messageId)
  answerFirst(answered(first!.envelope.to))
  const [, id] = /^250 2\.0\.0 Ok: (\S+)/.exec(await reply)!
  assert.equal(id, first!.emailId)
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'sent')
  talk.close()
})
