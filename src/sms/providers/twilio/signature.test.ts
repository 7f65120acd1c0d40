import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSignedByTwilio } from './signature.ts'

/** The example of Twilio's documentation. */
const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
const fields = new URLSearchParams({
  CallSid: 'CA1234567890ABCDE',
  From: '+12349013030',
  To: '+18005551212',
  Caller: '+12349013030',
  Digits: '1234',
})
const signature = '0/KCTR6DLpKmkAf8muzZqo1nDgQ='

test('Twilio’s own example is accepted, with and without the port', () => {
  assert.ok(isSignedByTwilio('12345', signature, { url, fields }))
  const withPort = url.replace('.com/', '.com:443/')
  assert.ok(isSignedByTwilio('12345', signature, { url: withPort, fields }))
})

test('a change of any part is refused', () => {
  const changed = new URLSearchParams(fields)
  changed.set('Digits', '1235')
  const added = new URLSearchParams([...fields, ['Digits', '9']])
  for (const [token, given, request] of [
    ['12346', signature, { url, fields }],
    ['12345', `${signature}=`, { url, fields }],
    ['12345', signature.toLowerCase(), { url, fields }],
    ['12345', '', { url, fields }],
    ['12345', signature, { url: `${url}3`, fields }],
    ['12345', signature, { url: url.replace('https', 'http'), fields }],
    ['12345', signature, { url, fields: changed }],
    ['12345', signature, { url, fields: added }],
  ] as const)
    assert.equal(isSignedByTwilio(token, given, request), false)
})
