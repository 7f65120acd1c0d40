import assert from 'node:assert/strict'
import { test } from 'node:test'
import { envelopeCommands } from './envelope.ts'
import { noExtensions } from './extensions.ts'

const ALL = { ...noExtensions, size: true, eightBitMime: true, smtpUtf8: true }
const PLAIN = Buffer.from('Subject: x\r\n\r\ny\r\n')

test('parameters are given only if they are offered and needed', () => {
  const mail = (raw: Buffer, to = 'b@b.test', offered = ALL) =>
    envelopeCommands({ from: 'a@a.test', to: [to] }, raw, offered).mail
  assert.equal(mail(PLAIN), 'MAIL FROM:<a@a.test> SIZE=17\r\n')
  assert.equal(mail(PLAIN, 'b@b.test', noExtensions), 'MAIL FROM:<a@a.test>\r\n')
  assert.equal(mail(Buffer.from('Subject: x\r\n\r\né\r\n')), 'MAIL FROM:<a@a.test> SIZE=18 BODY=8BITMIME\r\n')
  assert.equal(mail(Buffer.from('Subject: é\r\n\r\ny\r\n')), 'MAIL FROM:<a@a.test> SIZE=18 BODY=8BITMIME SMTPUTF8\r\n')
  assert.equal(mail(PLAIN, 'bé@b.test'), 'MAIL FROM:<a@a.test> SIZE=17 SMTPUTF8\r\n')
})

test('the null sender is written as an empty path', () => {
  assert.equal(envelopeCommands({ from: '', to: ['b@b.test'] }, PLAIN, noExtensions).mail, 'MAIL FROM:<>\r\n')
})

test('a domain is sent as punycode to every server, and SMTPUTF8 is not asked for', () => {
  const both = { from: 'r@bücher.test', to: ['b@bücher.test'] }
  for (const extensions of [noExtensions, { ...noExtensions, smtpUtf8: true }]) {
    const { mail, recipients } = envelopeCommands(both, PLAIN, extensions)
    assert.equal(mail, 'MAIL FROM:<r@xn--bcher-kva.test>\r\n')
    assert.deepEqual(recipients, ['RCPT TO:<b@xn--bcher-kva.test>\r\n'])
  }
})

test('a local part beyond ASCII goes as it is with SMTPUTF8, and without is refused permanently', () => {
  const to = ['b@bücher.test', 'é@bücher.test']
  const { recipients: asWritten } = envelopeCommands({ from: '', to }, PLAIN, ALL)
  assert.equal(asWritten[1], 'RCPT TO:<é@bücher.test>\r\n')
  const { recipients } = envelopeCommands({ from: '', to }, PLAIN, noExtensions)
  assert.equal(recipients[0], 'RCPT TO:<b@xn--bcher-kva.test>\r\n')
  assert.deepEqual(typeof recipients[1] === 'object' && [recipients[1].code, recipients[1].enhanced], [553, '5.6.7'])
})

test('an address that contains a command is never sent', () => {
  const bad = [
    'a@b.test>\r\nRCPT TO:<c@d.test',
    'a@b.test\nDATA',
    'a b@c.test',
    '<a@b.test>',
    'nobody',
    'a@b.test\0',
    '',
  ]
  for (const reply of envelopeCommands({ from: '', to: bad }, PLAIN, ALL).recipients)
    assert.equal(typeof reply, 'object')
  assert.equal(typeof envelopeCommands({ from: bad[0]!, to: [] }, PLAIN, ALL).mail, 'object')
  const quoted = envelopeCommands({ from: '', to: ['"a b>"@c.test'] }, PLAIN, ALL).recipients[0]
  assert.equal(quoted, 'RCPT TO:<"a b>"@c.test>\r\n')
})
