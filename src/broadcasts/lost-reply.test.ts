import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp } from '../../test/app.ts'
import { smtpProvider } from '../emails/providers/smtp.ts'
import { startScriptedServer } from '../emails/smtp-client/fixtures/scripted-server.ts'
import { createAudience, readers, runFor } from './fixtures/audience.ts'

const server = await startScriptedServer((verb, socket) => {
  if (verb !== 'END') return undefined
  socket.destroy()
  return null
})
after(() => server[Symbol.asyncDispose]())
const emailProvider = smtpProvider({ url: `smtp://127.0.0.1:${server.port}`, localName: 'posthorn.test' })
const posthorn = await createTestApp({}, { emailProvider })

test('an email of a broadcast whose reply is lost counts as sent, and is not handed over again', async () => {
  const team = await posthorn.team()
  const { segmentId } = await createAudience(posthorn, team, readers(3))
  const fields = { name: 'News', from: `a@${team.domain}`, segmentId, subject: 'News', text: 'x' }
  const { id } = (await team.api.post('/v1/broadcasts', fields)).body
  await team.api.post(`/v1/broadcasts/${id}/send`)
  await runFor(posthorn, 30)
  assert.equal(server.texts.length, 3)
  assert.equal((await team.api.get(`/v1/broadcasts/${id}`)).body.status, 'sent')
  assert.equal((await team.api.get('/v1/emails?status=sent')).body.total, 3)
})
