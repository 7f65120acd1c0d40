import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth'
import PostalMime from 'postal-mime'
import { anyCharacter } from '../../../test/any-text.ts'
import { propertyTest, randomCases } from '../../../test/slow.ts'
import { composeMessage } from '../mime/compose.ts'
import type { MessageContent } from '../mime/content.ts'
import { signComposed, signMessage } from '../mime/dkim.ts'
import { compileText, type FilledText, type Values } from './compile.ts'

const names = ['firstName', 'lastName', 'properties.a']
const placeholder = fc.constantFrom(...names, 'nobody').map((name) => `{{${name}}}`)
const stretch = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.nat(200).map((length) => 'w'.repeat(length)),
  fc.constantFrom(
    '\n',
    '\r\n',
    '\r',
    ' ',
    '   ',
    '\t',
    '\t\t',
    '.',
    'From ',
    'Fro',
    '=',
    '=\r\n',
    '--',
    '\0',
    '{{',
    '}}',
  ),
  fc.constantFrom(
    '<a href="',
    "<p title='",
    '">',
    "'>",
    '</a>',
    '&',
    '<!--',
    '-->',
    '<pre>  x\n  y</pre>',
    'plain words ',
  ),
)
/** Most of a text is plain words, as otherwise base64 is shorter and nothing is encoded before. */
const source = fc
  .array(fc.oneof(stretch, placeholder, fc.constant('These are plain words about nothing. ')), { maxLength: 30 })
  .map((pieces) => pieces.join(''))
const value = fc.array(stretch, { maxLength: 4 }).map((pieces) => pieces.join(''))
const values: fc.Arbitrary<Values> = fc.dictionary(fc.constantFrom(...names), value)

const letters = fc.record({ html: fc.option(source), text: fc.option(source), values })

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = { domainName: 'posthorn.example', selector: 'posthorn', privateKey }
const record = `v=DKIM1; k=rsa; p=${createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')}`

type Given = { html: string | null; text: string | null; values: Values }

function contentOf(html: FilledText | string | null, text: FilledText | string | null): MessageContent {
  const person = { name: 'Ada', address: 'ada@posthorn.example' }
  return {
    ...{
      messageId: '<1@posthorn.example>',
      date: new Date('2026-03-04T05:06:07Z'),
      from: person,
      to: [person],
      cc: [],
    },
    ...{ replyTo: [], subject: 'News', text, html, attachments: [], headers: [] },
  }
}

/** Composes a letter for one recipient from what is encoded already, and also from its rendered texts. */
function composeBoth({ html, text, values }: Given) {
  const filled = {
    html: html === null ? null : compileText(html, { escape: 'html' }).fill(values),
    text: text === null ? null : compileText(text, { escape: 'none' }).fill(values),
  }
  const rendered = contentOf(filled.html?.render() ?? null, filled.text?.render() ?? null)
  return { ours: composeMessage(contentOf(filled.html, filled.text)), theirs: composeMessage(rendered).raw }
}

async function verify(signed: Buffer): Promise<string | undefined> {
  const { results } = await dkimVerify(signed, { resolver: async () => [[record]], strict: true })
  return results[0]?.status.result
}

/**
 * Returns what a reader gets: with LF line ends, and without those at the end, because base64 alone can end without
 * one.
 */
async function read(raw: Buffer) {
  const { html = '', text = '' } = await PostalMime.parse(raw)
  return [html, text].map((shown) => shown.replace(/\r\n?/g, '\n').replace(/\n+$/, ''))
}

describe('a letter whose constant parts are encoded once', () => {
  propertyTest('reads like the composed one, whatever the values and wherever they are', async () => {
    const check = async (given: Given) => {
      const { ours, theirs } = composeBoth(given)
      assert.deepEqual(await read(ours.raw), await read(theirs))
    }
    await fc.assert(fc.asyncProperty(letters, check), { numRuns: randomCases(300) })
  })

  it('has one line end where a text and a value share a CRLF', async () => {
    const cases: [string, string, string][] = [
      ['Plain words\r{{firstName}}', '\nand more', ''],
      ['Plain words {{firstName}}\nand more', '\r', ''],
      ['Plain words {{firstName}}{{lastName}}and more', '\r', '\n'],
    ]
    for (const [text, firstName, lastName] of cases) {
      const [, shown] = await read(composeBoth({ html: null, text, values: { firstName, lastName } }).ours.raw)
      assert.match(shown!, /^Plain words ?\nand more$/)
    }
  })

  it('is base64 if that is shorter', () => {
    const { raw } = composeBoth({
      html: null,
      text: '漢字かな交じり文 {{firstName}}',
      values: { firstName: 'Ada' },
    }).ours
    assert.match(raw.toString('latin1'), /^Content-Transfer-Encoding: base64\r$/m)
  })

  propertyTest('has a DKIM signature that verifies', async () => {
    const at = new Date()
    const check = async (given: Given) => {
      const { raw, bodyHash } = composeBoth(given).ours
      const signed = bodyHash === null ? signMessage(raw, [key], at) : signComposed(raw, bodyHash, [key], at, [])
      assert.equal(await verify(await signed), 'pass')
    }
    await fc.assert(fc.asyncProperty(letters, check), { numRuns: randomCases(100) })
  })

  propertyTest('is ASCII in lines of at most 78 that end in CRLF', () => {
    const check = (given: Given) => {
      const message = composeBoth(given).ours.raw.toString('latin1')
      assert.match(message, /^[\t\r\n -~]*\r\n$/)
      assert.doesNotMatch(message, /\r(?!\n)|(?<!\r)\n/)
      assert.ok(message.split('\r\n').every((line) => line.length <= 78))
    }
    fc.assert(fc.property(letters, check), { numRuns: randomCases(300) })
  })

  it('has no line whose length depends on a value', () => {
    const given = {
      html: null,
      text: 'Dear {{firstName}},\nyour order – it is on its way, {{firstName}}',
      values: { firstName: 'Ada' },
    }
    const body = composeBoth(given).ours.raw.toString('latin1').split('\r\n\r\n')[1]
    assert.equal(body, 'Dear=20=\r\nAda=\r\n,\r\nyour order =E2=80=93 it is on its way,=20=\r\nAda\r\n')
  })
})
