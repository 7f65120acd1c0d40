import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Api } from '../../test/app.ts'
import { createTestApp } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { features } from '../features.ts'
import { rolesOf } from '../teams/roles/refuse-role.ts'

const posthorn = await createTestApp({ PUBLIC_REQUESTS_PER_MINUTE: '100000' })
const team = await posthorn.team()
const sending = await team.newKey()
const viewer = (await team.member('viewer')).api
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'
const routes = features
  .flatMap(({ dialect }) => dialect?.routes ?? [])
  .filter(({ path }) => path.startsWith('/resend/'))

function call(api: Api, method: string, path: string): Promise<Answer> {
  const url = path.replaceAll(/:\w+/g, unknownId)
  if (method === 'GET') return api.get(url)
  if (method === 'DELETE') return api.delete(url)
  return method === 'POST' ? api.post(url, {}) : api.patch(url, {})
}

for (const route of routes) {
  const { method, path, access } = route
  test(`${method} ${path} needs a key, its permission and a role`, async () => {
    assert.ok(method === 'GET' || (route.changes && rolesOf(route).length > 0))
    const none = await call(posthorn.anyone, method, path)
    assert.deepEqual([none.status, none.body.name], [401, 'missing_api_key'])
    const bad = await call(posthorn.as(`ph_${'0'.repeat(40)}`), method, path)
    assert.deepEqual([bad.status, bad.body.name], [403, 'invalid_api_key'])
    const few = await call(sending.api, method, path)
    assert.equal(few.body.name === 'restricted_api_key', access === 'full', few.text)
    const seen = await call(viewer, method, path)
    assert.equal(seen.status === 403, !rolesOf(route).includes('viewer'), seen.text)
  })
}

slowTest('another team’s id answers as an unknown id, and changes nothing', async () => {
  const [owner, stranger] = [await posthorn.team(), await posthorn.team()]
  const make = async ({ api, domain }: typeof owner, segment?: string) => {
    const create = async (path: string, body: object) => (await api.post(`/resend${path}`, body)).body.id as string
    const email = { from: `a@${domain}`, to: 'a@b.co', subject: 'x', text: 'x' }
    const segment_id = segment ?? (await create('/segments', { name: 'All' }))
    return {
      emails: await create('/emails', { ...email, scheduled_at: 'in 1 day' }),
      domains: await create('/domains', { name: `new.${domain}` }),
      'api-keys': await create('/api-keys', { name: 'x' }),
      contacts: await create('/contacts', { email: 'ada@example.com' }),
      segments: segment_id,
      audiences: segment_id,
      topics: await create('/topics', { name: 'News', default_subscription: 'opt_in' }),
      suppressions: await create('/suppressions', { email: 'gone@example.com' }),
      templates: await create('/templates', { name: 'Welcome', html: 'x' }),
      broadcasts: await create('/broadcasts', { ...email, to: undefined, segment_id }),
      webhooks: await create('/webhooks', { endpoint: 'https://shop.test', events: ['email.sent'] }),
    }
  }
  const ids: Record<string, string> = await make(owner)
  const bodies: Record<string, object> = {
    emails: { scheduled_at: 'in 1 day' },
    domains: { open_tracking: true },
    webhooks: { status: 'disabled' },
    contacts: { first_name: 'Mine' },
  }
  for (const { method, path } of routes.filter((route) => /\/:(id|contact|template|suppression)\b/.test(route.path))) {
    const noun = path.split('/')[2]!
    const call = (id: string) => {
      const url = path.replace(/:(id|contact|template|suppression)\b/, id).replaceAll(/:\w+/g, unknownId)
      const body = path.endsWith('/topics') ? [{ id: unknownId, subscription: 'opt_in' }] : bodies[noun]
      if (method === 'GET') return stranger.api.get(url)
      if (method === 'DELETE') return stranger.api.delete(url)
      const isAdding = path.endsWith('/contacts')
      if (method === 'POST') return stranger.api.post(url, isAdding ? { email: 'new@example.com' } : undefined)
      return stranger.api.patch(url, body ?? { name: 'Mine' })
    }
    const noun_ = path.includes('/contacts/:contact') ? 'contacts' : noun
    const [others, unknown] = [await call(ids[noun_]!), await call(unknownId)]
    assert.equal(others.text.replaceAll(ids[noun_]!, unknownId), unknown.text, `${method} ${path}`)
    const isRefused = others.status === 404 || others.status === 422
    assert.ok(isRefused || (method === 'DELETE' && noun_ === 'contacts'), `${method} ${path}: ${others.text}`)
  }
  for (const noun of [
    'emails',
    'domains',
    'contacts',
    'segments',
    'topics',
    'suppressions',
    'templates',
    'broadcasts',
    'webhooks',
  ]) {
    const kept = await owner.api.get(`/resend/${noun}/${ids[noun]}`)
    assert.equal(kept.status, 200, `${noun}: ${kept.text}`)
  }
})
