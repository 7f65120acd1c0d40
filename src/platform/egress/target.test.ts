import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowList } from './public-address.ts'
import { readTarget } from './target.ts'

const both = ['http:', 'https:'] as const
const strict = { allow: allowList([]), protocols: both }

const refused: Record<string, RegExp> = {
  '': /not an absolute URL/,
  '/path': /not an absolute URL/,
  'http://': /not an absolute URL/,
  'ftp://example.com/': /scheme/,
  'file:///etc/passwd': /scheme/,
  'javascript:alert(1)': /scheme/,
  'data:text/plain,x': /scheme/,
  'https://user@example.com/': /user name or password/,
  'https://user:pass@example.com/': /user name or password/,
  'https://:pass@example.com/': /user name or password/,
  'http://127.0.0.1/': /not a public address/,
  'http://127.1/': /not a public address/,
  'http://2130706433/': /not a public address/,
  'http://017700000001/': /not a public address/,
  'http://0177.0.0.1/': /not a public address/,
  'http://0x7f000001/': /not a public address/,
  'http://0x7f.1/': /not a public address/,
  'http://127.0.0.1./': /not a public address/,
  'http://１２７.0.0.1/': /not a public address/,
  'http://127。0。0。1/': /not a public address/,
  'http://%31%32%37.0.0.1/': /not a public address/,
  'http:\\\\127.0.0.1\\': /not a public address/,
  'http://0/': /not a public address/,
  'http://10.0.0.8:8080/x': /not a public address/,
  'http://169.254.169.254/latest/meta-data': /not a public address/,
  'http://[::1]/': /not a public address/,
  'http://[::]/': /not a public address/,
  'http://[::7f00:1]/': /not a public address/,
  'http://[::ffff:127.0.0.1]/': /not a public address/,
  'http://[::ffff:7f00:1]/': /not a public address/,
  'http://[64:ff9b::10.0.0.1]/': /not a public address/,
  'http://[2002:7f00:1::]/': /not a public address/,
  'http://[fe80::1]/': /not a public address/,
  'http://localhost/': /this machine/,
  'http://LOCALHOST./': /this machine/,
  'http://api.localhost/': /this machine/,
}

for (const [url, reason] of Object.entries(refused)) {
  test(`${url || 'nothing'} is refused`, () => {
    const target = readTarget(url, strict)
    assert.equal(target.kind, 'refused')
    if (target.kind === 'refused') assert.match(target.reason, reason)
  })
}

test('a URL is at most 8 KiB long after percent-encoding', () => {
  const base = 'https://example.com/'
  const fill = (unit: string, length: number) => base + unit.repeat(length)
  assert.equal(readTarget(fill('x', 8192 - base.length), strict).kind, 'target')
  for (const text of [
    fill('x', 8193 - base.length),
    fill('x', 1024 * 1024),
    fill('ä', 1500),
    fill('x', 8000) + '☃'.repeat(30),
  ]) {
    const target = readTarget(text, strict)
    assert(target.kind === 'refused', text.slice(0, 40))
    assert.equal(target.reason, 'The URL cannot be called: it is longer than 8192 bytes.')
  }
})

test('a host is at most as long as a name in DNS can be', () => {
  const labels = (count: number) => `${'a.'.repeat(count)}com`
  assert.equal(readTarget(`https://${labels(125)}/`, strict).kind, 'target')
  const target = readTarget(`https://${labels(126)}/`, strict)
  assert(target.kind === 'refused')
  assert.match(target.reason, /host is longer than 253/)
})

test('names and public addresses are accepted', () => {
  for (const url of [
    'https://example.com/hook?x=1',
    'http://example.com:8080',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://notlocalhost/',
  ]) {
    assert.equal(readTarget(url, strict).kind, 'target', url)
  }
})

test('a caller may accept https only', () => {
  const rules = { ...strict, protocols: ['https:'] as const }
  assert.deepEqual(readTarget('http://example.com/', rules), {
    kind: 'refused',
    reason: 'The URL cannot be called: its scheme is not https.',
  })
})

test('the operator may allow addresses that are not public', () => {
  const rules = { ...strict, allow: allowList(['127.0.0.1/32']) }
  for (const url of ['http://127.0.0.1:9/', 'http://2130706433/', 'http://localhost:9/'])
    assert.equal(readTarget(url, rules).kind, 'target', url)
  assert.equal(readTarget('http://[::1]/', rules).kind, 'refused')
})
