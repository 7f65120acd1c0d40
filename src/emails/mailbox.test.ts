import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { forAll } from '../../test/for-all.ts'
import { assertLinear } from '../../test/growth.ts'
import { slowTest } from '../../test/slow.ts'
import { domainOf, normalizeAddress, wireAddress } from '../platform/text/mail-address.ts'
import { formatMailbox, mailboxFault, parseMailbox, storedMailbox } from './mailbox.ts'

describe('a mailbox is read as exactly one', () => {
  const taken: [string, string | null, string][] = [
    ['a@b.co', null, 'a@b.co'],
    ['<a@b.co>', null, 'a@b.co'],
    ['Name <a@b.co>', 'Name', 'a@b.co'],
    ['Name<a@b.co>', 'Name', 'a@b.co'],
    ["John Q. O'Brien-Smith <a@b.co>", "John Q. O'Brien-Smith", 'a@b.co'],
    ['Jürgen Größe ☃ <a@b.co>', 'Jürgen Größe ☃', 'a@b.co'],
    ['"Quoted, Name" <a@b.co>', 'Quoted, Name', 'a@b.co'],
    ['"a \\"b\\" \\\\ c <x@y.z>" <a@b.co>', 'a "b" \\ c <x@y.z>', 'a@b.co'],
    ['"" <a@b.co>', null, 'a@b.co'],
    ["!#$%&'*+/=?^_`{|}~-@b.co", null, "!#$%&'*+/=?^_`{|}~-@b.co"],
    ['First.Last+Tag@Mail.Example.COM', null, 'First.Last+Tag@Mail.Example.COM'],
    ['Support (Billing) <a@b.co>', 'Support (Billing)', 'a@b.co'],
    ['"Support, Inc." (Billing) <a@b.co>', 'Support, Inc. (Billing)', 'a@b.co'],
    ['Support (a (nested \\) one)) <a@b.co>', 'Support (a (nested ) one))', 'a@b.co'],
    ['(Ada) <a@b.co> (work)', 'Ada work', 'a@b.co'],
    ['Ada <a@b.co> (work)', 'Ada', 'a@b.co'],
    ['a@b.co (Ada)', 'Ada', 'a@b.co'],
    ['(Ada, <x@y.co>) a@b.co', 'Ada, <x@y.co>', 'a@b.co'],
    ['Ada <(x)a(y) @ (z)b.co(w)>', 'Ada', 'a@b.co'],
    ['a(x).b@c(y).co', null, 'a.b@c.co'],
    ['() a@b.co', null, 'a@b.co'],
    ['a@b.co ("me)', '"me', 'a@b.co'],
    ['"ada.l"@b.co', null, 'ada.l@b.co'],
    ['Ada <"ada"@b.co>', 'Ada', 'ada@b.co'],
    ['"a\\d\\a"."l"@b.co', null, 'ada.l@b.co'],
    ['ada."l"@b.co', null, 'ada.l@b.co'],
    ['info@münchen.example', null, 'info@münchen.example'],
    ['info@xn--mnchen-3ya.example', null, 'info@xn--mnchen-3ya.example'],
    [`${'l'.repeat(64)}@b.co`, null, `${'l'.repeat(64)}@b.co`],
  ]
  for (const [text, name, address] of taken) {
    it(`takes ${text}`, () => assert.deepEqual(parseMailbox(text), { name, address }))
  }

  const refused = [
    ['nothing', '', ' ', '<>', '@', 'a', 'a@', '@b.co', 'Name', 'Name <>', 'Name <a>'],
    [
      'several',
      'a@b.co, c@d.co',
      'a@b.co,',
      'a@b.co; c@d.co',
      '<a@b.co> <c@d.co>',
      'A <a@b.co>, B <c@d.co>',
      'a@b.co c@d.co',
    ],
    ['a name that hides one', 'x@y.co <a@b.co>', 'A, B <a@b.co>', 'x@y.co, A <a@b.co>', '"A" <x@y.co>, B <a@b.co>'],
    ['groups', 'team: a@b.co;', 'team: A <a@b.co>', 'team:;'],
    ['blanks around it', ' a@b.co', 'a@b.co ', 'a@b.co\u2028', '\ufeffa@b.co', 'Name <a@b.co> '],
    ['what is no comment', 'a@b.co (me', 'a@b.co me)', 'Name ((me) <a@b.co>', 'a(x)b@c.co', '(a)', 'a@b(x)c.co'],
    ['comments that hide one', 'x@y.co (a) <a@b.co>', 'A (a), B <a@b.co>', '<a@b.co> (a) <c@d.co>', '(a@b.co)'],
    ['routes', '<@x.co:a@b.co>', '<@x.co,@y.co:a@b.co>'],
    [
      'trailing text',
      'Name <a@b.co> x',
      '<a@b.co>>',
      'Name <<a@b.co>',
      '"Name" x <a@b.co>',
      '"Name <a@b.co>',
      '"N\\" <a@b.co>',
    ],
    [
      'other local parts',
      '"a b"@b.co',
      '"a@b"@c.co',
      '"a..b"@c.co',
      '""@b.co',
      'a"b"@c.co',
      '"a"b@c.co',
      '"a".@c.co',
      `"${'l'.repeat(65)}"@b.co`,
      'a..b@c.co',
      '.a@b.co',
      'a.@b.co',
      'a b@c.co',
      'jürgen@b.co',
      'a@b@c.co',
      `${'l'.repeat(65)}@b.co`,
    ],
    [
      'what is no domain',
      'a@b',
      'a@localhost',
      'a@-b.co',
      'a@b-.co',
      'a@b..co',
      'a@.co',
      'a@b.co.',
      'a@b_c.co',
      'a@[127.0.0.1]',
    ],
    ['addresses of hosts', 'a@127.0.0.1', 'a@0x7f.1', 'a@2130706433', 'a@1.2'],
    [
      'disguised and overlong domains',
      'a@ex%61mple.co',
      'a@b。co',
      'a@b／c.co',
      `a@${'l'.repeat(64)}.co`,
      `a@${'lab.'.repeat(64)}co`,
    ],
    [
      'controls',
      'a@b.co\r\nBcc: c@d.co',
      'A\nB <a@b.co>',
      'A\rB <a@b.co>',
      'A\0 <a@b.co>',
      'A\tB <a@b.co>',
      'A\x7f <a@b.co>',
      'A\x85 <a@b.co>',
      'a@b.co\n',
    ],
    ['lone surrogates', 'A\ud800 <a@b.co>'],
    ['overlong text', `${'n'.repeat(1000)} <a@b.co>`],
  ] as const
  for (const [what, ...texts] of refused) {
    it(`refuses ${what}`, () => {
      for (const text of texts) assert.equal(parseMailbox(text), null, JSON.stringify(text))
    })
  }
})

/** All of Unicode except surrogates. The unit `binary` of fast-check would do, but takes a second to build. */
const character = fc.integer({ min: 0, max: 0x10f7ff }).map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800))

describe('a formatted mailbox reads back the same', () => {
  it('for every name', () => {
    forAll({ always: 100 }, fc.string({ unit: character, maxLength: 80 }), (text) => {
      const name = text.replace(/\p{Cc}/gu, '').trim()
      const mailbox = { name: name === '' ? null : name, address: 'a@b.co' }
      assert.deepEqual(parseMailbox(formatMailbox(mailbox)), mailbox)
    })
  })

  it('and every text that is read holds exactly one address without control characters', () => {
    const piece = fc.constantFrom(
      'a',
      '@',
      'b.co',
      ' ',
      '<',
      '>',
      '"',
      '\\',
      ',',
      ';',
      ':',
      '(',
      ')',
      '.',
      '\r',
      '\n',
      'é',
    )
    forAll({ always: 100 }, fc.array(piece, { maxLength: 14 }), (pieces) => {
      const mailbox = parseMailbox(pieces.join(''))
      if (mailbox === null) return
      assert.match(mailbox.address, /^[a-z.]+@[a-zé.]+$/)
      assert.deepEqual(parseMailbox(formatMailbox(mailbox)), mailbox)
    })
  })
})

slowTest('a mailbox is read in time that is linear in its length', () => {
  const hostile: ((times: number) => string)[] = [
    (times) => 'a.'.repeat(times),
    (times) => `"${'\\"'.repeat(times)}`,
    (times) => '<'.repeat(2 * times),
    (times) => '('.repeat(2 * times),
    (times) => `${'(a) '.repeat(times)}x`,
    (times) => `"${'a"."'.repeat(times)}@b.co`,
    (times) => `${'a-'.repeat(times)}@b.co`,
    (times) => `a@${'b-'.repeat(times)}`,
  ]
  for (const write of hostile) {
    const parse = (times: number) => {
      const text = write(times)
      for (let i = 0; i < 2000; i++) assert.equal(parseMailbox(text), null)
    }
    assertLinear(write(2), parse, 480)
  }
})

describe('a refused address', () => {
  it('has the reason if it needs quotes', () => {
    for (const text of ['"a b"@b.co', 'Ada <"ada lovelace"@b.co>', '"a@b"@c.co', '""@b.co']) {
      assert.match(mailboxFault(text)!, /needs quotes/, text)
    }
    for (const text of ['a b@b.co', 'a"b"@c.co', '"Ada" x <a@b.co>'])
      assert.match(mailboxFault(text)!, /must be one/, text)
  })
})

describe('a mailbox is stored', () => {
  it('as it was given, unless its address is within comments or quotes', () => {
    for (const text of ['a@b.co', 'Support (Billing) <a@b.co>', '"Ada" <a@b.co>'])
      assert.equal(storedMailbox(text), text)
    assert.equal(storedMailbox('a@b.co (Ada)'), 'Ada <a@b.co>')
    assert.equal(storedMailbox('Ada <"ada"@b.co>'), 'Ada <ada@b.co>')
    assert.equal(storedMailbox('Ada (x) <a(y)@b.co>'), '"Ada (x)" <a@b.co>')
  })
})

describe('addresses compare', () => {
  it('by domain in lower case and punycode', () => {
    assert.equal(domainOf('a@Mail.Example.COM'), 'mail.example.com')
    assert.equal(domainOf('a@MÜNCHEN.example'), 'xn--mnchen-3ya.example')
  })

  it('as a whole, regardless of case', () => {
    assert.equal(normalizeAddress('Info@MÜNCHEN.example'), 'info@xn--mnchen-3ya.example')
    assert.equal(normalizeAddress('INFO@xn--MNCHEN-3ya.example'), 'info@xn--mnchen-3ya.example')
    assert.equal(normalizeAddress('Not an address'), 'not an address')
  })

  it('and keep the case of their local part on the wire', () => {
    assert.equal(wireAddress('Info@münchen.example'), 'Info@xn--mnchen-3ya.example')
    assert.equal(wireAddress('Info@B.co'), 'Info@B.co')
  })
})
