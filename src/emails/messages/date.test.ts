import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { createAudience, readers, runFor } from '../../broadcasts/fixtures/audience.ts'
import { type EmailAnswer, type EmailProvider, type OutboundMessage, unreachableFor } from '../provider.ts'

const handed: OutboundMessage[] = []
const outcomes: EmailAnswer[] = []

/** A provider whose outcomes a test decides; it takes all further mail. */
const provider: EmailProvider = {
  name: 'peer',
  signs: false,
  async send(message) {
    handed.push(message)
    return (
      outcomes.shift() ?? { kind: 'answered', accepted: message.envelope.to, facts: [], response: '250 2.0.0 taken' }
    )
  },
  close: async () => undefined,
}

const posthorn = await createTestApp({}, { emailProvider: provider })
const team = await posthorn.team()
const hourMs = 3_600_000
const now = () => posthorn.clock.now()
const later = (ms: number) => new Date(now().getTime() + ms).toISOString()

async function send(more: object = {}): Promise<string> {
  const email = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'Hello', text: 'x', ...more }
  const body = await ok(team.api.post('/v1/emails', email))
  return body.id
}

/** Returns the messages of an email as they were handed over. */
function messagesOf(id: string): string[] {
  return handed.filter(({ emailId }) => emailId === id).map(({ raw }) => raw.toString('latin1'))
}

function dateOf(message: string): string {
  return new Date(/^Date: (.*)\r$/m.exec(message)![1]!).toISOString().slice(0, 19)
}

const seconds = (date: Date) => date.toISOString().slice(0, 19)

test('the date of scheduled mail is that of its first attempt, after a PATCH too', async () => {
  const id = await send({ scheduledAt: later(hourMs), headers: { 'X-Order': '17' } })
  assert.equal((await team.api.patch(`/v1/emails/${id}`, { scheduledAt: later(48 * hourMs) })).status, 200)
  await posthorn.runDueJobsAfter(50 * hourMs)
  const [message = ''] = messagesOf(id)
  assert.equal(dateOf(message), seconds(now()))
  assert.match(message, /^X-Order: 17\r$/m)
  const { body } = await team.api.get(`/v1/emails/${id}/message`)
  assert.deepEqual(body.headers, { 'X-Order': '17' })
})

slowTest(
  'repeats are the same message octet for octet, of scheduled mail and of mail that was sent at once',
  async () => {
    const lost = { kind: 'unknown', message: 'lost' } as const
    const away = unreachableFor('away')
    for (const first of [lost, away]) {
      for (const isScheduled of [false, true]) {
        outcomes.push(first, away)
        const id = await send(isScheduled ? { scheduledAt: later(hourMs) } : {})
        if (isScheduled) posthorn.clock.advance(hourMs + 5000)
        await posthorn.runDueJobs()
        const began = seconds(now())
        for (let tries = 0; tries < 4; tries++) {
          await posthorn.runDueJobsAfter(hourMs)
        }
        const [message = '', ...repeats] = messagesOf(id)
        assert.equal(repeats.length, 2)
        for (const repeat of repeats) assert.equal(repeat, message)
        assert.equal(dateOf(message), began)
      }
    }
  },
)

test('the date of a broadcast’s email is that of its first attempt', async () => {
  const other = await posthorn.team()
  const { segmentId } = await createAudience(posthorn, other, readers(2))
  const fields = { name: 'News', from: `a@${other.domain}`, segmentId, subject: 'News', text: 'x' }
  const { body } = await other.api.post('/v1/broadcasts', fields)
  assert.equal((await other.api.post(`/v1/broadcasts/${body.id}/send`)).status, 200)
  const before = handed.length
  await runFor(posthorn, 5)
  const dates = handed.slice(before).map(({ raw, at }) => [dateOf(raw.toString('latin1')), seconds(at)])
  assert.equal(dates.length, 2)
  for (const [date, at] of dates) assert.equal(date, at)
})
