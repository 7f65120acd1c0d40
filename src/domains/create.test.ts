import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { test } from 'node:test'
import { createTestApp } from '../../test/app.ts'
import { pluck } from '../../test/pluck.ts'
import { slowTest } from '../../test/slow.ts'
import { generateDkimKeys } from './dkim/dkim-keys.ts'
import { signingKeyOf } from './dkim/signing-key.ts'
import { findSendingDomain } from './queries.ts'

const posthorn = await createTestApp({ PUBLIC_URL: 'https://mail.example.com' }, { generateDkimKeys })
const team = await posthorn.team()

test('a new domain is not verified and lists the records to publish', async () => {
  const { status, body } = await team.api.post('/v1/domains', { name: 'Shop.Example.COM.' })
  assert.equal(status, 200)
  const { id, records, createdAt, updatedAt, ...rest } = body
  assert.deepEqual(rest, {
    ...{ name: 'shop.example.com', status: 'not_started', region: 'us-east-1' },
    ...{ clickTracking: false, openTracking: false, tls: 'opportunistic', customReturnPath: null },
  })
  assert.deepEqual([createdAt, updatedAt], Array(2).fill(posthorn.clock.now().toISOString()))
  const [dkim, ...others] = records
  assert.deepEqual(
    { ...dkim, value: null },
    { type: 'txt', name: 'posthorn._domainkey.shop.example.com', value: null, priority: null, status: 'pending' },
  )
  assert.deepEqual(others, [
    {
      type: 'txt',
      name: 'send.shop.example.com',
      value: 'v=spf1 a:mail.example.com ~all',
      priority: null,
      status: 'pending',
    },
    { type: 'mx', name: 'send.shop.example.com', value: 'mail.example.com', priority: 10, status: 'pending' },
  ])
  assert.deepEqual((await team.api.get(`/v1/domains/${id}`)).body, body)
  const { data } = (await team.api.get('/v1/domains')).body
  assert.deepEqual(data[0], { id, name: 'shop.example.com', status: 'not_started', region: 'us-east-1', createdAt })
})

test('the published key belongs to the signing key, and each domain has its own', async () => {
  const records = (await team.api.get(`/v1/domains/${team.domainId}`)).body.records
  const published = /^v=DKIM1; k=rsa; p=([A-Za-z0-9+/=]+)$/.exec(records[0].value)![1]!
  const domain = await findSendingDomain(posthorn.app, { teamId: team.id, name: team.domain }, { lock: false })
  assert(!domain!.dkimPrivateKey.includes('PRIVATE KEY'))
  const key = signingKeyOf(posthorn.app, domain!)
  assert.equal(signingKeyOf(posthorn.app, { ...domain! }), key)
  const publicKey = createPublicKey({ key: Buffer.from(published, 'base64'), format: 'der', type: 'spki' })
  assert.equal(publicKey.asymmetricKeyDetails!.modulusLength, 2048)
  assert(verify('sha256', Buffer.from('mail'), publicKey, sign('sha256', Buffer.from('mail'), key)))
  const [one, other] = await Promise.all([generateDkimKeys(), generateDkimKeys()])
  assert.notEqual(one.publicKey, other.publicKey)
  assert.equal(createPrivateKey(one.privateKey).asymmetricKeyType, 'rsa')
})

slowTest('a name that the team has is a conflict, in any spelling and under concurrency', async () => {
  const names = ['double.test', 'DOUBLE.test', 'double.test.', 'Double.Test']
  const answers = await Promise.all(names.map((name) => team.api.post('/v1/domains', { name })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
  const again = await team.api.post('/v1/domains', { name: 'double.test' })
  assert.deepEqual([again.status, again.body.name], [409, 'conflict'])
  const other = await posthorn.team()
  assert.equal((await other.api.post('/v1/domains', { name: 'double.test' })).status, 200)
})

test('a text that is not a domain name is refused with the name of the field', async () => {
  for (const name of ['', 'localhost', 'a b.com', '127.0.0.1', 'http://a.com', 'a_b.com', 5, null]) {
    const { status, body } = await team.api.post('/v1/domains', { name })
    assert.deepEqual([status, body.errors?.[0].path], [400, 'name'], String(name))
  }
  const misspelt = await team.api.post('/v1/domains', { name: 'a.test', Region: 'x' })
  assert.deepEqual([misspelt.status, misspelt.body.errors[0].path], [400, 'Region'])
  assert.equal((await team.api.post('/v1/domains', { name: 'a.test', region: 'no region' })).status, 400)
  assert.equal((await team.api.post('/v1/domains')).status, 400)
})

test('sending_access cannot read or change domains', async () => {
  const { api } = await team.newKey()
  const path = `/v1/domains/${team.domainId}`
  const answers = [await api.get('/v1/domains'), await api.get(path), await api.post('/v1/domains', { name: 'b.test' })]
  answers.push(await api.patch(path, { tls: 'enforced' }), await api.post(`${path}/verify`), await api.delete(path))
  assert.deepEqual(pluck(answers, 'status'), Array(6).fill(403))
})
