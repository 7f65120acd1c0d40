import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { tokenOfLink } from '../../../test/link-token.ts'
import { password, signUp } from '../../../test/person.ts'
import { eventsOf, person, sendTracked, trackingTeam } from '../../emails/tracking/fixtures/tracked-mail.ts'
import { stopRequestLog } from '../request-log/note.ts'
import { keptAddress } from './network.ts'

test('with CLIENT_ADDRESSES=networks only the network of a client is kept: in logs, sessions and events', async () => {
  const posthorn = await createTestApp({ CLIENT_ADDRESSES: 'networks', REQUEST_LOG: 'on' })
  const { api } = await signUp(posthorn)
  await api.post('/v1/suppressions', { email: 'bob@people.test' })
  const { url } = await ok(api.post('/v1/team/invitations', { email: 'cy@people.test', role: 'developer' }))
  const joining = await posthorn.anyone.post('/auth/invitations', { token: tokenOfLink(url), password })
  assert.equal(joining.status, 200)
  await stopRequestLog(posthorn.app)
  const lists = await Promise.all(['/v1/audit', '/v1/requests', '/auth/sessions'].map((path) => api.get(path)))
  for (const { status, body } of lists) {
    assert.equal(status, 200)
    assert.deepEqual([...new Set(body.data.map(({ address }: { address: string }) => address))], ['127.0.0.0/24'])
  }
  const joined = lists[0]!.body.data.find(({ action }: { action: string }) => action === 'member.joined')
  assert.equal(joined.requestId, joining.headers['x-request-id'])
  const team = await trackingTeam(posthorn)
  const { id, links } = await sendTracked(posthorn, team, '<a href="https://shop.example/">Shop</a>')
  await posthorn.anyone.get(links[0]!, person)
  const [click] = await eventsOf(posthorn, team, id, 'clicked', 1)
  assert.equal(click.data.click.ipAddress, '127.0.0.0/24')
})

test('the network is the /24 of an IPv4 and the /48 of an IPv6 address', () => {
  const kept = (address: string) => keptAddress({ clientAddresses: 'networks' }, address)
  assert.equal(kept('192.0.2.77'), '192.0.2.0/24')
  assert.equal(kept('::ffff:192.0.2.77'), '192.0.2.0/24')
  assert.equal(kept('2001:db8:1:2:3:4:5:6'), '2001:db8:1::/48')
  assert.equal(keptAddress({ clientAddresses: 'whole' }, '192.0.2.77'), '192.0.2.77')
})
