import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { databaseProxy } from '../../../test/database-proxy.ts'
import { type EmailAnswer, type EmailProvider, unreachableFor } from '../../emails/provider.ts'
import { startSubmission } from './fixtures/start.ts'
import { talkTo } from './fixtures/talk.ts'

let outcome: EmailAnswer
const provider: EmailProvider = { name: 'told', signs: false, send: async () => outcome, close: async () => undefined }
const database = databaseProxy()
after(() => database.close())
const { posthorn, smtps } = await startSubmission({}, { emailProvider: provider, through: database.through })
const team = await posthorn.team()
const commands = ['MAIL FROM:<>', 'RCPT TO:<ada@example.com>', 'DATA']
const text = `From: hello@${team.domain}\r\nIdempotency-Key: one\r\n\r\nHello\r\n.`

async function atText() {
  const talk = await talkTo(smtps)
  await talk.logIn(team.key)
  for (const command of commands) assert.match(await talk.say(command), /^[23]/)
  return talk
}

test('a message that the provider does not take now is accepted, and waits', async () => {
  outcome = unreachableFor('The relay is away.')
  const talk = await atText()
  assert.match(await talk.say(text.replace('one', 'waits')), /^250 /)
  const [email] = (await team.api.get('/v1/emails')).body.data
  assert.equal(email.status, 'delayed')
  outcome = { kind: 'answered', accepted: ['ada@example.com'], facts: [], response: null }
  await posthorn.runDueJobsAfter(5000)
  assert.equal((await team.api.get(`/v1/emails/${email.id}`)).body.status, 'sent')
  talk.close()
})

test('with EMAIL_UNREACHABLE=refuse such a message is refused temporarily, and nothing is stored', async () => {
  const strict = await startSubmission({ EMAIL_UNREACHABLE: 'refuse' }, { emailProvider: provider })
  const team = await strict.posthorn.team()
  const text = `From: hello@${team.domain}\r\nIdempotency-Key: one\r\n\r\nHello\r\n.`
  outcome = unreachableFor('The relay is away.')
  const talk = await talkTo(strict.smtps)
  await talk.logIn(team.key)
  for (const command of commands) await talk.say(command)
  assert.match(await talk.say(text), /^451 4\.4\.1 The relay is away\. Nothing was sent/)
  assert.equal((await team.api.get('/v1/emails')).body.total, 0)
  assert.equal((await strict.posthorn.app.db.selectFrom('email_contents').select('email_id').execute()).length, 0)
  outcome = { kind: 'answered', accepted: ['ada@example.com'], facts: [], response: null }
  for (const command of commands) await talk.say(command)
  assert.match(await talk.say(text), /^250 /)
  talk.close()
})

test('a message is refused temporarily without the database, and the connection stays open', async () => {
  const talk = await atText()
  database.cut()
  assert.match(await talk.say(text), /^451 4\.3\.0 The database cannot be reached/)
  assert.match(await talk.say('MAIL FROM:<>'), /^451 4\.3\.0 /)
  database.mend()
  assert.match(await talk.say('MAIL FROM:<>'), /^250 /)
  talk.close()
})
