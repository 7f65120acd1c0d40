import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageStations } from './stations.ts'

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`
type Given = Parameters<typeof messageStations>
const names = (status: Given[0]['status'], events: Given[1]) =>
  messageStations({ status, createdAt: at(0) }, events).map(({ name, state }) => `${name}: ${state}`)

test('a delivered message has passed every station, oldest first', () => {
  const events = [
    { id: '3', type: 'delivered', createdAt: at(2), data: null },
    { id: '2', type: 'sent', createdAt: at(1), data: null },
    { id: '1', type: 'accepted', createdAt: at(0), data: null },
  ]
  assert.deepEqual(names('delivered', events), ['Accepted: passed', 'Sent: passed', 'Delivered: passed'])
})

test('a message on its way shows what is awaited', () => {
  assert.deepEqual(names('accepted', []), ['Accepted: passed', 'Sent: next'])
  const sent = [{ id: '1', type: 'sent', createdAt: at(1), data: null }]
  assert.deepEqual(names('sent', sent), ['Accepted: passed', 'Sent: passed', 'Delivered: next'])
})

test('a failed message ends at a fault with the words of the provider', () => {
  const failed = {
    id: '1',
    type: 'failed',
    createdAt: at(1),
    data: { errors: [{ code: 1, message: 'No such phone' }] },
  }
  const stations = messageStations({ status: 'failed', createdAt: at(0) }, [failed])
  assert.deepEqual(
    stations.map(({ state }) => state),
    ['passed', 'fault'],
  )
  assert.equal(stations[1]?.children, 'No such phone')
})

test('a message whose outcome is unknown awaits nothing', () => {
  const lost = { id: '1', type: 'outcome_unknown', createdAt: at(1), data: null }
  assert.deepEqual(names('queued', [lost]), ['Accepted: passed', 'Outcome unknown: fault'])
})
