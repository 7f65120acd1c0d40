import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oauthProviders } from './oauth-providers.ts'

function parse(issuer: unknown) {
  return oauthProviders.parse(JSON.stringify({ google: { issuer, clientId: 'id', clientSecret: 'secret' } }))
}

test('issuers are https, or http on loopback', () => {
  for (const issuer of [
    'https://accounts.google.com',
    'http://127.0.0.1:4000',
    'http://localhost/realms/x',
    'http://[::1]:1',
  ]) {
    assert.ok(parse(issuer), issuer)
  }
  for (const issuer of [
    'http://accounts.google.com',
    'http://10.0.0.1',
    'http://127.0.0.1.evil.example',
    'ftp://localhost',
    'google',
    '',
    3,
  ]) {
    assert.equal(parse(issuer), undefined, String(issuer))
  }
})

test('a value that is not an object of complete providers is refused', () => {
  for (const text of [
    '',
    'x',
    'null',
    '[]',
    '{"a":null}',
    '{"a":{}}',
    '{"a":{"issuer":"https://a.example","clientId":""}}',
  ]) {
    assert.equal(oauthProviders.parse(text), undefined, text)
  }
  assert.deepEqual(oauthProviders.parse('{}'), {})
})
