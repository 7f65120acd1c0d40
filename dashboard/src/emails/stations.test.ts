import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Email } from './email.ts'
import { stationsOf } from './stations.ts'

const email = { status: 'bounced' as const, createdAt: '2026-01-01T00:00:00.000Z', scheduledAt: null }

test('the way of an email is shown oldest first, with what the host said', () => {
  const bounce = { bouncedRecipients: [{ emailAddress: 'ada@example.com', diagnosticCode: 'smtp; 550 no such user' }] }
  const events = [
    { id: '2', type: 'bounced', createdAt: '2026-01-01T00:00:02.000Z', data: { bounce } },
    { id: '1', type: 'sent', createdAt: '2026-01-01T00:00:01.000Z', data: null },
  ]
  const way = stationsOf(email, events).map(({ name, state, said, recipients }) => [name, state, said, recipients])
  assert.deepEqual(way, [
    ['Accepted', 'passed', null, []],
    ['Sent', 'passed', null, []],
    ['Bounced', 'fault', 'smtp; 550 no such user', ['ada@example.com']],
  ])
})

test('what is awaited is a station ahead', () => {
  const ahead = (status: Email['status']) =>
    stationsOf({ ...email, status }, []).find(({ state }) => state === 'next')?.name
  assert.deepEqual((['scheduled', 'sent', 'delivered'] as const).map(ahead), ['Scheduled', 'Delivery', undefined])
})
