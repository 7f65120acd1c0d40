import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth'
import { forAllAsync } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import { composeMessage } from './compose.ts'
import { signMessage } from './dkim.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const AT = new Date('2026-03-04T05:06:07Z')
const KEY = { domainName: 'posthorn.example', selector: 'posthorn', privateKey }
const RECORD = `v=DKIM1; k=rsa; p=${createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')}`

/** Returns an independent verifier's result for each signature. Every DKIM name resolves to the public key. */
async function verify(signed: Buffer): Promise<string[]> {
  const resolver = async (name: string) => {
    assert.match(name, /^[a-z]+\._domainkey\.[a-z.]+$/)
    return [[RECORD]]
  }
  const { results } = await dkimVerify(signed, { resolver, strict: true })
  return results.map((result) => `${result.signingDomain} ${result.status.result}`)
}

async function signText(raw: string, keys = [KEY]): Promise<Buffer> {
  return await signMessage(Buffer.from(raw, 'latin1'), keys, AT)
}

const HEAD = 'From: a@posthorn.example\r\nTo: b@b.example\r\nSubject: Hello\r\n'

describe('a signature verifies', () => {
  const file = { filename: 'a.bin', contentType: null, contentId: 'x', content: Buffer.alloc(200_000, 'octets') }
  const shapes = [
    { text: 'Hi', html: null, attachments: [] },
    { text: null, html: null, attachments: [] },
    { text: 'Hi  there \n\n\n', html: '<p>\n\t<b>é</b>  \n', attachments: [] },
    { text: 'Hi', html: '<p>', attachments: [file, { ...file, contentId: null }] },
  ]
  for (const [index, shape] of shapes.entries()) {
    it(`for a composed message of structure ${index + 1}`, async () => {
      const address = { name: 'Jörg, the one with a long name that folds', address: 'a@posthorn.example' }
      const headers = [
        { name: 'List-Unsubscribe', value: `<https://b.example/${'u'.repeat(80)}>, <mailto:u@b.example>` },
        { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
      ]
      const raw = composeMessage({
        ...shape,
        messageId: '<1@posthorn.example>',
        date: AT,
        from: address,
        to: [address, address],
        cc: [address],
        replyTo: [],
        subject: 'Grüße',
        headers,
      }).raw
      const signed = await signMessage(raw, [KEY], AT)
      assert.deepEqual(await verify(signed), ['posthorn.example pass'])
      assert.ok(signed.subarray(-raw.length).equals(raw))
    })
  }

  const others: [string, string][] = [
    ['without a body', `${HEAD}\r\n`],
    ['without even the empty line', HEAD],
    ['without a line end', HEAD.trimEnd()],
    ['of empty lines alone', `${HEAD}\r\n\r\n\r\n \t\r\n`],
    ['of blanks alone', `${HEAD}\r\n   `],
    ['with empty lines behind its text', `${HEAD}\r\ntext\r\n\r\n \r\n\r\n`],
    ['without a last line end', `${HEAD}\r\ntext`],
    ['with blanks in every place', `${HEAD}\r\n a  b\t\tc \t \r\n\t\r\n  d\r\n`],
    ['with 8-bit headers and text', `${HEAD}Reply-To: \xfcber\xa0 <c@b.example>\r\n\r\n\xe4\xa0 \xff\r\n`],
    [
      'with folded and padded headers',
      'FROM :  a@posthorn.example\r\nSubject:\r\n\tone \r\n  two\t\r\nTo:\r\n b@b.example\r\n\r\ntext',
    ],
    ['with repeated headers', `${HEAD}Subject: again\r\nTo: c@b.example\r\nReferences: <1@b>\r\n\r\ntext`],
    ['with lines of 5000', `${HEAD}\r\n${'long  '.repeat(900)}\r\n${'x'.repeat(5000)}`],
    [
      'with a long unbroken stretch beside blanks',
      `${HEAD}\r\n${'x'.repeat(40_000)} \t y\r\n${'z'.repeat(3000)}  z\r\n`,
    ],
  ]
  for (const [what, raw] of others) {
    it(`for a message ${what}`, async () =>
      assert.deepEqual(await verify(await signText(raw)), ['posthorn.example pass']))
  }

  propertyTest('for messages of any octets, including folded headers', async () => {
    const octets = (...lineEnds: string[]) =>
      fc.array(fc.constantFrom(...lineEnds, ' ', '\t', 'word', 'x:y', '\xe9', '\xa0', '\x85', '\0', '.', '='), {
        maxLength: 40,
      })
    await forAllAsync(100, octets('\r\n ', '\r\n\t'), octets('\r\n', '\r', '\n'), async (value, body) => {
      const signed = await signText(`Cc:${value.join('')}!\r\n${HEAD}\r\n${body.join('')}`)
      assert.deepEqual(await verify(signed), ['posthorn.example pass'])
    })
  })

  it('for a body whose blanks lie where hashing pauses', async () => {
    const body = `${'x'.repeat((1 << 20) - 3)}${' '.repeat(9)}${'word  '.repeat(200_000)}\r\n`
    assert.deepEqual(await verify(await signText(`${HEAD}\r\n${body}`)), ['posthorn.example pass'])
  })

  it('for each of several keys, the first on top', async () => {
    const signed = await signText(`${HEAD}\r\ntext`, [KEY, { ...KEY, domainName: 'relay.example', selector: 'other' }])
    assert.deepEqual(await verify(signed), ['posthorn.example pass', 'relay.example pass'])
  })
})

describe('a signature breaks', () => {
  const attempts: [string, (signed: string) => string][] = [
    ['a word of the text changes', (signed) => signed.replace('text', 'test')],
    ['a signed header changes', (signed) => signed.replace('Hello', 'Hallo')],
    ['a second From is put on top', (signed) => `From: c@b.example\r\n${signed}`],
    ['a second Subject is put on top', (signed) => `Subject: Pay\r\n${signed}`],
    ['a Reply-To is added', (signed) => `Reply-To: c@b.example\r\n${signed}`],
    ['the unsubscribe link changes', (signed) => signed.replace('one-click', 'two-click')],
  ]
  for (const [what, tamper] of attempts) {
    it(`when ${what}`, async () => {
      const signed = await signText(`${HEAD}List-Unsubscribe-Post: one-click\r\n\r\ntext`)
      const tampered = Buffer.from(tamper(signed.toString('latin1')), 'latin1')
      assert.notDeepEqual(await verify(tampered), ['posthorn.example pass'])
    })
  }
})

describe('signing', () => {
  it('folds its header and names the signed fields and the time', async () => {
    const signed = (await signText(`${HEAD}List-Unsubscribe-Post: one-click\r\n\r\ntext`)).toString('latin1')
    const field = signed.slice(0, signed.indexOf('\r\nFrom:'))
    assert.ok(field.split('\r\n').every((line) => line.length <= 78))
    assert.match(
      field,
      /v=1; a=rsa-sha256; c=relaxed\/relaxed;\r\n d=posthorn\.example; s=posthorn; t=1772600767;\r\n h=/,
    )
    const names = /h=([^;]+)/.exec(field)![1]!.replace(/\s/g, '')
    assert.equal(names, 'from:from:reply-to:subject:subject:to:to:cc:list-unsubscribe-post')
  })

  it('converts bare line ends to CRLF and leaves the rest of the message unchanged', async () => {
    const signed = await signText('From: a@posthorn.example\nSubject: x\n\na\rb\nc')
    assert.deepEqual(await verify(signed), ['posthorn.example pass'])
    assert.ok(signed.toString('latin1').endsWith('\r\nFrom: a@posthorn.example\r\nSubject: x\r\n\r\na\r\nb\r\nc'))
  })

  it('refuses keys that are not RSA, and names that would forge tags', async () => {
    const ed25519: KeyObject = generateKeyPairSync('ed25519').privateKey
    for (const change of [{ privateKey: ed25519 }, { domainName: 'a;d=b' }, { selector: 'a\r\nb' }]) {
      await assert.rejects(signText(HEAD, [{ ...KEY, ...change }]), { code: 'ERR_ASSERTION' })
    }
  })
})
