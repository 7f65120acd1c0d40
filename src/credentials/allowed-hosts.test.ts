import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../../test/app.ts'
import { isAllowedHost, readAllowedHosts } from './allowed-hosts.ts'

const posthorn = await sharedTestApp()

test('hosts are kept in lower case and punycode, each once', () => {
  const given = ['API.Example.com', 'api.example.com.', '*.Bücher.example', '[2001:DB8::1]:8443', '10.0.0.1:080']
  const kept = ['api.example.com', '*.xn--bcher-kva.example', '[2001:db8::1]:8443', '10.0.0.1:80']
  assert.deepEqual(readAllowedHosts(given), kept)
})

test('a host is allowed by its own name, and a star stands for what lies below a name', () => {
  const hosts = ['api.example.com', '*.shop.test', 'ported.test:8443', '127.0.0.1:3000']
  for (const url of [
    'https://api.example.com/',
    'http://API.example.com:8080/x?y',
    'https://api.example.com./',
    'https://a.shop.test/',
    'https://a.b.shop.test/',
    'https://ported.test:8443/',
    'http://127.0.0.1:3000/',
    'http://2130706433:3000/',
  ]) {
    assert.equal(isAllowedHost(url, hosts), true, url)
  }
  for (const url of [
    'https://example.com/',
    'https://api.example.com.evil.test/',
    'https://evil-api.example.com/',
    'https://shop.test/',
    'https://evilshop.test/',
    'https://ported.test/',
    'http://127.0.0.1/',
    'http://127.0.0.2:3000/',
  ]) {
    assert.equal(isAllowedHost(url, hosts), false, url)
  }
})

test('a credential shows the hosts that it is bound to, and one that is bound to none shows nothing of it', async () => {
  const team = await posthorn.team()
  const fields = { name: 'Bound', type: 'bearer', secret: { token: 'Secret-4711' } }
  const made = await team.api.post('/v1/credentials', {
    ...fields,
    allowedHosts: ['API.example.com', '*.shop.test:8443'],
  })
  assert.equal(made.status, 200, made.text)
  assert.deepEqual(made.body.allowedHosts, ['api.example.com', '*.shop.test:8443'])
  const open = await team.api.post('/v1/credentials', fields)
  assert.equal('allowedHosts' in open.body, false)
  assert.deepEqual((await team.api.get('/v1/credentials')).body.data, [open.body, made.body])
})

test('what is no host is refused and named, and so are more than twenty', async () => {
  const team = await posthorn.team()
  const post = (allowedHosts: unknown) =>
    team.api.post('/v1/credentials', { name: 'Bad', type: 'bearer', secret: { token: 'x' }, allowedHosts })
  const bad = [
    '',
    '*',
    '*.',
    'https://a.test',
    'a.test/x',
    'a@b.test',
    'a.*.test',
    '*.10.0.0.1',
    'a.test:0',
    'a.test:70000',
  ]
  for (const host of bad) {
    const answer = await post(['good.test', host])
    assert.equal(answer.status, 400, host)
    assert.equal(answer.body.errors[0].path, 'allowedHosts[1]', host)
  }
  assert.equal((await post([])).status, 400)
  assert.equal((await post(Array.from({ length: 21 }, (_, n) => `h${n}.test`))).status, 400)
})
