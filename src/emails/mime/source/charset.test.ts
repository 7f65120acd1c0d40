import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { TextDecoder as StandardDecoder } from '@exodus/bytes/encoding.js'
import fc from 'fast-check'
import { forAll } from '../../../../test/for-all.ts'
import { propertyTest } from '../../../../test/slow.ts'
import { rewriteLinks } from '../../tracking/html/rewrite-links.ts'
import { decodeBody, decodeText } from './decode.ts'
import { findLeaves } from './leaves.ts'
import { type HtmlChange, rewriteHtml } from './rewrite-html.ts'

/**
 * HTML with two links in each character set that Python writes, with characters whose octets are also those of ASCII.
 */
const texts: Record<string, string> = JSON.parse(
  readFileSync(new URL('fixtures/charsets.json', import.meta.url), 'utf8'),
)

const [target, pixel] = [`https://posthorn.test/t/c/${'t'.repeat(900)}`, '<img src="https://posthorn.test/t/o/x">']
const change: HtmlChange = (html, read) =>
  rewriteLinks(html, { replace: () => target, append: pixel, ...(read && { read }) })

/**
 * Character sets that are left alone: EBCDIC, and those with shifts or with octets of ASCII within other characters.
 */
const untouched =
  /^(?:cp037|cp1026|cp1140|cp273|cp424|cp500|cp864|cp875|johab|hz-|utf-7|utf-32|iso-2022-(?:kr|jp-)|mac-(?:arabic|farsi))/

test('HTML in each character set shows the same text when its links are changed, in each transfer encoding', () => {
  for (const [label, encoded] of Object.entries(texts)) {
    for (const encoding of ['8bit', 'quoted-printable', 'base64'] as const) {
      const source = messageOf(label, Buffer.from(encoded, 'base64'), encoding)
      const before = shown(source)
      const changed = rewriteHtml(source, change)
      const after = shown(changed)
      if (untouched.test(label)) assert.equal(changed, source, label)
      else assert.equal(after.octets.split(wide(label, target)).length - 1, 2, `${label}: both links are changed`)
      assert.equal(changed.includes(`charset="${label}"`), true, label)
      assert.equal(withoutChange(after.octets, label), before.octets, label)
      if (before.text !== null) assert.equal(withoutChange(after.text!, ''), before.text, label)
      for (const line of changed.toString('latin1').split('\r\n')) assert.ok(line.length <= 998, label)
    }
  }
})

propertyTest('octets that have no meaning in the character set stay', () => {
  const encodings = ['utf-8', 'big5', 'gbk', 'gb18030', 'euc-kr', 'euc-jp', 'shift_jis', 'windows-1255', '', 'us-ascii']
  const octets = fc
    .uint8Array({ maxLength: 12 })
    .map((found) =>
      Buffer.from(found.filter((octet) => ![0x00, 0x0a, 0x0d, 0x0e, 0x1b, 0x3c, 0x3e, 0x22, 0x26].includes(octet))),
    )
  // A byte order mark decides the character set, whatever the label says.
  const isMarked = ([first = Buffer.of()]: Buffer[]) => ['feff', 'fffe'].includes(first.toString('hex', 0, 2))
  const parts = fc.array(octets, { minLength: 3, maxLength: 3 }).filter((three) => !isMarked(three))
  forAll(2000, fc.constantFrom(...encodings), parts, (label, [a, b, c]) => {
    const html = Buffer.concat([...[a!, Buffer.from('<a href="https://x.test/">')], ...[b!, Buffer.from('</a>'), c!]])
    for (const encoding of ['quoted-printable', 'base64'] as const) {
      const changed = shown(rewriteHtml(messageOf(label, html, encoding), change))
      assert.equal(withoutChange(changed.octets, '', 'https://x.test/'), html.toString('latin1'))
    }
  })
})

test('a text reads as browsers read it, where the tables of the runtime lack characters', () => {
  const read = (label: string, hex: string) =>
    decodeText(...leafOf(messageOf(label, Buffer.from(hex, 'hex'), 'base64')))
  assert.equal(read('ks_c_5601-1987', '8c63b9e6b0a2c7cf'), '똠방각하')
  assert.equal(read('big5-hkscs', '94dcfdf69def'), '啫𤋁嘅')
  assert.equal(read('cp949', '8c63'), '똠')
  for (const label of ['euc-jp', 'shift_jis', 'gb18030', 'iso-2022-jp'])
    assert.equal(
      read(label, texts[label]!.length > 0 ? Buffer.from(texts[label]!, 'base64').toString('hex') : ''),
      new StandardDecoder(label).decode(Buffer.from(texts[label]!, 'base64')),
    )
})

test('a text that names no character set is UTF-8, what its HTML names, or Windows-1252', () => {
  const read = (html: string, type = 'text/html') =>
    decodeText(
      ...leafOf(Buffer.from(`Content-Type: ${type}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${html}`, 'latin1')),
    )
  assert.equal(read('Gr\xc3\xbc\xc3\x9fe'), 'Grüße')
  assert.equal(read('Gr\xfc\xdfe \x80'), 'Grüße €')
  assert.equal(read('Gr\xfc\xdfe \x80', 'text/html; charset=us-ascii'), 'Grüße €')
  assert.equal(read('<meta charset="koi8-r">\xf0\xc5'), '<meta charset="koi8-r">Пе')
  assert.equal(read('<meta http-equiv=x content="text/html; charset=iso-2022-jp">\x1b$BF|\x1b(B')?.slice(-1), '日')
  assert.equal(read('<meta charset="utf-8">Gr\xc3\xbc\xc3\x9fe', 'text/html; charset=utf-8')?.slice(-5), 'Grüße')
})

type Encoding = '8bit' | 'quoted-printable' | 'base64'

function messageOf(label: string, content: Buffer, encoding: Encoding): Buffer {
  // A NUL cannot be sent, so such a text is never in 8 bits.
  const form = encoding === '8bit' && /^utf-(?:16|32)/.test(label) ? 'base64' : encoding
  const charset = label === '' ? '' : `; charset="${label}"`
  const head = `Subject: x\r\nContent-Type: text/html${charset}\r\nContent-Transfer-Encoding: ${form}\r\n\r\n`
  const escaped = content.toString('hex').toUpperCase().replace(/../g, '=$&').replace(/.{72}/g, '$&=\r\n')
  const wrapped = content.toString('base64').replace(/.{76}/g, '$&\r\n')
  const body = form === '8bit' ? content : Buffer.from(form === 'base64' ? wrapped : escaped)
  return Buffer.concat([Buffer.from(head), body])
}

function leafOf(message: Buffer): [Buffer, NonNullable<ReturnType<typeof findLeaves>>[number]] {
  return [message, findLeaves(message)![0]!]
}

function shown(message: Buffer): { octets: string; text: string | null } {
  const [octets, leaf] = leafOf(message)
  return { octets: decodeBody(octets, leaf).toString('latin1'), text: decodeText(octets, leaf) }
}

/** Returns a text of ASCII as the character set writes it, with an octet a character. */
function wide(label: string, text: string): string {
  if (!/^utf-16/.test(label)) return text
  return text.replace(/./g, label === 'utf-16be' ? '\0$&' : '$&\0')
}

/** Undoes the change. */
function withoutChange(text: string, label: string, ...given: string[]): string {
  const links = given.length > 0 ? given : ['https://example.com/a?b=1', 'https://example.com/b']
  let undone = text.replace(wide(label, pixel), '')
  for (const link of links) undone = undone.replace(wide(label, target), wide(label, link))
  return undone
}
