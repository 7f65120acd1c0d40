import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { productionEnvironment } from '../../../../test/production.ts'

const posthorn = await createTestApp({ PUBLIC_URL: 'http://mail.example.com:3000' })

async function ask(host: string, url = '/ready', { server } = posthorn) {
  const answer = await server.inject({ url, headers: { host } })
  return { status: answer.statusCode, body: answer.json() }
}

test('a name that a page on the web leads to this machine is refused, on every path', async () => {
  for (const host of [
    'evil.example:3000',
    'EVIL.EXAMPLE',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    'mail.example.com.evil.example',
  ]) {
    for (const url of ['/ready', '/metrics', '/auth/providers', '/v1/emails', '/nowhere']) {
      const { status, body } = await ask(host, url)
      assert.deepEqual([status, body.name], [403, 'authorization_error'], `${host} ${url}`)
      assert.match(body.message, /does not answer to the host ".*Set PUBLIC_URL/)
    }
  }
  const { server } = posthorn
  const signup = { email: 'eve@evil.example', password: 'a long password of hers', name: 'Eve' }
  const headers = { host: 'evil.example:3000', origin: 'http://evil.example:3000' }
  assert.equal((await server.inject({ method: 'POST', url: '/auth/signup', headers, payload: signup })).statusCode, 403)
})

test('addresses, names of the local network and the host of PUBLIC_URL are answered', async () => {
  for (const host of [
    'localhost:3000',
    '127.0.0.1:3000',
    '[::1]:3000',
    '192.168.1.7',
    'posthorn:3000',
    'posthorn.local',
    'Mail.Example.com',
    'mail.example.com.:3000',
    'app.localhost',
  ]) {
    assert.equal((await ask(host)).status, 200, host)
  }
})

test('in production every name is answered', async () => {
  assert.equal((await ask('track.shop.example', '/ready', await createTestApp(productionEnvironment))).status, 200)
})

test('where tracking has names of its own, they are answered for tracked links alone', async () => {
  const tracking = await createTestApp({ TRACKING_SUBDOMAINS: 'on' })
  const headers = { host: 'track.shop.example' }
  for (const url of ['/t/c/unknown', '/t/o/unknown']) {
    assert.notEqual((await tracking.server.inject({ url, headers })).statusCode, 403, url)
    assert.equal((await posthorn.server.inject({ url, headers })).statusCode, 403, url)
  }
  for (const url of ['/ready', '/app', '/v1/emails'])
    assert.equal((await tracking.server.inject({ url, headers })).statusCode, 403, url)
})
