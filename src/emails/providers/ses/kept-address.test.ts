import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../../../test/app.ts'
import { startShop, timestamp } from './fixtures/shop.ts'

const { team, sendOne, tell } = await startShop({ CLIENT_ADDRESSES: 'networks' })

test('with CLIENT_ADDRESSES=networks an open or a click that Amazon reports has the network of its reader', async () => {
  const email = await sendOne()
  await tell({ eventType: 'Open', mail: email.mail, open: { timestamp, ipAddress: '192.0.2.77', userAgent: 'x' } })
  const link = 'https://a.test/'
  await tell({ eventType: 'Click', mail: email.mail, click: { timestamp, ipAddress: '2001:db8:1:2::3', link } })
  const events: { type: string; data: Record<string, unknown> }[] = await ok(
    team.api.get(`/v1/emails/${email.id}/events`),
  )
  const dataOf = (wanted: string) => events.find(({ type }) => type === wanted)!.data
  assert.deepEqual(dataOf('opened').open, { timestamp, ipAddress: '192.0.2.0/24', userAgent: 'x' })
  assert.deepEqual(dataOf('clicked').click, { timestamp, ipAddress: '2001:db8:1::/48', link })
})
