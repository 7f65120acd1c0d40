import assert from 'node:assert/strict'
import { after } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { startSink } from '../../test/smtp-sink.ts'
import { smtpProvider } from '../emails/providers/smtp.ts'
import { createAudience, readers, runFor } from './fixtures/audience.ts'

const { port, close } = await startSink()
await close()
const emailProvider = smtpProvider({ url: `smtp://127.0.0.1:${port}`, localName: 'posthorn.test' })
const posthorn = await createTestApp({}, { emailProvider })

slowTest(
  'emails survive an outage of the relay, except to contacts that unsubscribe or are suppressed meanwhile',
  async () => {
    const team = await posthorn.team()
    const contacts = readers(6)
    const { segmentId, contactIds } = await createAudience(posthorn, team, contacts)
    const fields = { name: 'News', from: `a@${team.domain}`, segmentId, subject: 'News', text: 'x' }
    const { id } = (await team.api.post('/v1/broadcasts', fields)).body
    assert.equal((await team.api.post(`/v1/broadcasts/${id}/send`)).status, 200)
    await runFor(posthorn, 1)
    assert.equal((await team.api.get(`/v1/broadcasts/${id}`)).body.status, 'sending')
    assert.equal((await team.api.get('/v1/emails')).body.total, 6)
    await sql`update contacts set unsubscribed = true where id = ${contactIds[0]}`.execute(posthorn.app.db)
    await team.api.post('/v1/suppressions', { email: contacts[1]!.email })
    const sink = await startSink(port)
    after(sink.close)
    await runFor(posthorn, 10)
    const reached = sink.messages.flatMap(({ to }) => to).sort()
    assert.deepEqual(
      reached,
      contacts
        .slice(2)
        .map(({ email }) => email)
        .sort(),
    )
    assert.equal((await team.api.get(`/v1/broadcasts/${id}`)).body.status, 'sent')
    const { total, sent, bounced, skipped } = (await team.api.get(`/v1/broadcasts/${id}/stats`)).body
    assert.deepEqual([total, sent, bounced], [6, 4, 0])
    assert.deepEqual(skipped, { unsubscribed: 1, suppressed: 1, notOptedIn: 0 })
  },
)
