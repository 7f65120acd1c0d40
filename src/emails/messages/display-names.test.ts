import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSubmission } from '../../smtp/submission/fixtures/start.ts'
import { talkTo } from '../../smtp/submission/fixtures/talk.ts'

const { posthorn, smtps } = await startSubmission()
const team = await posthorn.team()
const own = `hello@${team.domain}`
const email = { from: own, to: ['ada@example.com'], subject: 'Hello', text: 'It works.' }
const marks = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069']

test('a name that changes the direction of text is refused, and the error names the character', async () => {
  for (const mark of marks) {
    const name = `moc.${mark}elgoog <${own}>`
    for (const [path, change] of [
      ['from', { from: name }],
      ['to[0]', { to: [name] }],
      ['replyTo', { replyTo: name }],
    ] as const) {
      const { status, body } = await team.api.post('/v1/emails', { ...email, ...change })
      assert.deepEqual([status, body.name], [400, 'validation_error'])
      const code = mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
      assert.match(JSON.stringify(body), new RegExp(`${path.replace(/[[\]]/g, '\\$&')}.*U\\+${code}`))
    }
  }
})

test('a subject may hold such characters, and a name may hold letters of scripts written from right to left', async () => {
  const change = { from: `מכתב עברי <${own}>`, subject: 'שלום \u200fHello\u200e' }
  assert.equal((await team.api.post('/v1/emails', { ...email, ...change })).status, 200)
})

test('the rule also holds for broadcasts and submitted messages', async () => {
  const segment = await team.api.post('/v1/segments', { name: 'All' })
  const broadcast = { name: 'x', from: `a\u202eb <${own}>`, subject: 'x', html: 'x', segmentId: segment.body.id }
  const refused = await team.api.post('/v1/broadcasts', broadcast)
  assert.equal(refused.status, 400)
  assert.match(JSON.stringify(refused.body), /U\+202E/)
  const talk = await talkTo(smtps)
  await talk.logIn(team.key)
  const encoded = `=?utf-8?b?${Buffer.from('moc.\u202eelgoog').toString('base64')}?=`
  for (const field of [`From: ${encoded} <${own}>`, `From: ${own}\r\nSender: ${encoded} <${own}>`]) {
    for (const command of [`MAIL FROM:<${own}>`, 'RCPT TO:<ada@example.com>', 'DATA']) {
      assert.match(await talk.say(command), /^[23]/)
    }
    assert.match(await talk.say(`${field}\r\nSubject: x\r\n\r\ny\r\n.`), /^5\d\d .*U\+202E/)
  }
  talk.close()
})
