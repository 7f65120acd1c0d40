import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { givenHeader, mailboxHeader, textHeader } from './headers.ts'

describe('a text header', () => {
  it('stays unchanged if it is plain', () => {
    assert.equal(textHeader('Subject', 'Your order = 3 (three)'), 'Subject: Your order = 3 (three)\r\n')
    assert.equal(textHeader('Subject', ''), 'Subject: \r\n')
  })

  it('folds between words at 78', () => {
    const folded = textHeader('Subject', Array(30).fill('wordy').join(' '))
    assert.ok(folded.split('\r\n').every((line) => line.length <= 78))
    assert.equal(folded.replaceAll('\r\n', ''), `Subject: ${Array(30).fill('wordy').join(' ')}`)
  })

  it('is encoded if a client would change it: extra spaces, other characters, encoded words, words too long for a line', () => {
    for (const text of ['two  spaces', ' before', 'after ', 'a\tb', 'a\x01b', '=?UTF-8?Q?hi?=', 'x'.repeat(78), 'é']) {
      assert.match(textHeader('Subject', text), /^Subject: =\?UTF-8\?[QB]\?/, text)
    }
  })

  it('is encoded as Q or B, whichever is shorter, in words of at most 75 with whole characters', () => {
    assert.equal(
      textHeader('Subject', 'Grüße an alle Leute hier'),
      'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe_an_alle_Leute_hier?=\r\n',
    )
    assert.equal(textHeader('Subject', '漢字'), 'Subject: =?UTF-8?B?5ryi5a2X?=\r\n')
    for (const text of ['😀'.repeat(90), 'ü and some more '.repeat(20)]) {
      const lines = textHeader('Subject', text).trimEnd().split('\r\n')
      assert.ok(lines.length > 3 && lines.every((line) => line.length <= 76))
      for (const [, kind, word] of lines.join('').matchAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/g)) {
        const octets =
          kind === 'B'
            ? Buffer.from(word!, 'base64')
            : Buffer.from(
                word!.replace(/=(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
                'latin1',
              )
        assert.ok(!octets.toString('utf8').includes('\ufffd'))
      }
    }
  })
})

describe('a given header', () => {
  it('keeps its structure: URLs of any length are not encoded', () => {
    const value = `<https://b.example/${'u'.repeat(300)}>, <mailto:u@b.example>`
    assert.equal(givenHeader('List-Unsubscribe', value), `List-Unsubscribe: ${value.replace(' ', '\r\n ')}\r\n`)
    assert.equal(givenHeader('X-Encoded', '=?UTF-8?Q?hi?=  there'), 'X-Encoded: =?UTF-8?Q?hi?=  there\r\n')
  })

  it('has no line longer than 998 and no line of blanks only', () => {
    for (const value of [
      'x'.repeat(5000),
      `a${' '.repeat(5000)}b`,
      `${'x'.repeat(990)} y`,
      'é'.repeat(2000),
      'a\tb '.repeat(900),
    ]) {
      const lines = givenHeader('X-Long'.padEnd(76, 'g'), value).trimEnd().split('\r\n')
      assert.ok(lines.every((line) => line.length <= 998 && line.trim() !== ''))
    }
  })
})

describe('a mailbox header', () => {
  const header = (name: string | null) => mailboxHeader('To', [{ name, address: 'a@b.co' }])

  it('quotes a name only if it must, and encodes it if quotes are not enough', () => {
    assert.equal(header(null), 'To: a@b.co\r\n')
    assert.equal(header('Ann Bee'), 'To: Ann Bee <a@b.co>\r\n')
    assert.equal(header('Bee, Ann'), 'To: "Bee, Ann" <a@b.co>\r\n')
    assert.equal(header('A. "B" \\C'), 'To: "A. \\"B\\" \\\\C" <a@b.co>\r\n')
    assert.equal(header('Jürgen'), 'To: =?UTF-8?Q?J=C3=BCrgen?= <a@b.co>\r\n')
    assert.equal(header('=?UTF-8?Q?hi?='), 'To: =?UTF-8?B?PT9VVEYtOD9RP2hpPz0=?= <a@b.co>\r\n')
  })

  it('carries domains in punycode and folds between mailboxes', () => {
    assert.equal(
      mailboxHeader('To', [{ name: null, address: 'A@münchen.example' }]),
      'To: A@xn--mnchen-3ya.example\r\n',
    )
    const many = mailboxHeader('Cc', Array(50).fill({ name: 'Some Body', address: 'some.body@somewhere.example' }))
    assert.ok(many.split('\r\n').every((line) => line.length <= 78))
    assert.equal(many.match(/<some.body@somewhere.example>/g)?.length, 50)
    assert.equal(mailboxHeader('Cc', []), '')
  })
})
