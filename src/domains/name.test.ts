import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/any-text.ts'
import { forAll } from '../../test/for-all.ts'
import { propertyTest } from '../../test/slow.ts'
import { parseMailbox } from '../emails/mailbox.ts'
import { domainOf } from '../platform/text/mail-address.ts'
import { isReservedName, normalizeDomainName, returnPathName, wantedReturnPath } from './name.ts'

test('host names are kept in lower case and punycode', () => {
  const table: Record<string, string> = {
    'example.com': 'example.com',
    'Mail.EXAMPLE.Com': 'mail.example.com',
    'example.com.': 'example.com',
    'münchen.example': 'xn--mnchen-3ya.example',
    'MÜNCHEN.example': 'xn--mnchen-3ya.example',
    'xn--mnchen-3ya.example': 'xn--mnchen-3ya.example',
    '1.example': '1.example',
    'a-b.c-d.example': 'a-b.c-d.example',
  }
  for (const [given, name] of Object.entries(table)) assert.equal(normalizeDomainName(given), name, given)
})

test('a text that is not a host name of two labels is refused', () => {
  const refused = [
    '',
    '.',
    'localhost',
    'com',
    'com.',
    'a..b',
    '.example.com',
    'example.com..',
    '-a.com',
    'a-.com',
    'a_b.com',
  ]
  refused.push(
    '127.0.0.1',
    '1.2.3',
    '0x7f.1',
    '[::1]',
    '::1',
    'a b.com',
    ' example.com',
    'example.com ',
    'user@example.com',
  )
  refused.push('https://example.com', 'example.com/path', 'example.com:25', '*.example.com', 'exa%6dple.com', 'a。com')
  refused.push(`${'a'.repeat(64)}.com`, `${'a.'.repeat(130)}com`, '\u0000.com', 'a\n.com', 'com.1')
  for (const given of refused) assert.equal(normalizeDomainName(given), null, JSON.stringify(given))
})

propertyTest('a domain and its addresses have the same form of the name', () => {
  forAll(
    { always: 100 },
    fc.oneof(
      fc.domain(),
      fc.string({ unit: anyCharacter, maxLength: 30 }).map((text) => `${text}.example`),
    ),
    (given) => {
      const name = normalizeDomainName(given)
      if (name === null || given.endsWith('.')) return
      assert.equal(normalizeDomainName(name), name)
      assert.equal(domainOf(parseMailbox(`a@${given}`)!.address), name)
    },
  )
})

test('a return path is a label or a full name under the domain, and not the tracking name', () => {
  assert.equal(returnPathName('bounce', 'example.com'), 'bounce.example.com')
  assert.equal(returnPathName('Bounce.Example.com.', 'example.com'), 'bounce.example.com')
  assert.equal(returnPathName('a.b.example.com', 'example.com'), 'a.b.example.com')
  for (const text of [
    'example.com',
    'a.b',
    'bounce.other.com',
    'evilexample.com',
    'track',
    'track.example.com',
    'a_b',
    'a b',
    '-a',
    '1',
    '',
  ]) {
    assert.equal(returnPathName(text, 'example.com'), null, text)
  }
  assert.equal(wantedReturnPath({ name: 'example.com', custom_return_path: null }), 'send.example.com')
})

test('only names under a reserved last label are reserved', () => {
  for (const name of ['a.test', 'a.b.example', 'a.invalid', 'a.localhost']) assert(isReservedName(name), name)
  for (const name of ['example.com', 'test.com', 'atest', 'a.contest']) assert(!isReservedName(name), name)
})
