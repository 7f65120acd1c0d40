// needs: waiting
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { promptMs } from '../../../../test/patience.ts'
import { smtpProvider } from '../../providers/smtp.ts'
import { type Script, startScriptedServer } from '../../smtp-client/fixtures/scripted-server.ts'

async function sendTo(script: Script) {
  await using server = await startScriptedServer(script)
  const provider = smtpProvider({ url: `smtp://127.0.0.1:${server.port}`, localName: 'posthorn.test' })
  const posthorn = await createTestApp({}, { emailProvider: provider })
  const team = await posthorn.team()
  const start = performance.now()
  const sent = await team.api.post('/v1/emails', {
    ...{ from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'Hello', text: 'x' },
  })
  const seconds = (performance.now() - start) / 1000
  return { answer: sent.body.status, seconds }
}

test('a relay that falls silent holds a request for at most 30 s', async () => {
  const [atHello, afterTheDot] = await Promise.all([
    sendTo((verb) => (verb === 'EHLO' ? null : undefined)),
    sendTo((verb) => (verb === 'END' ? null : undefined)),
  ])
  assert.deepEqual([atHello.answer, afterTheDot.answer], ['delayed', 'sent'])
  for (const { seconds } of [atHello, afterTheDot])
    assert.ok(seconds > 25 && seconds < 30 + promptMs / 1000, `${seconds} s`)
})
