import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { propertyTest, randomCases } from '../../../test/slow.ts'
import { namesPerson, type Written } from './names-person.ts'
import { candidatePattern, personOf } from './person.ts'

const ada = 'ada.b+c@people.test'
const person = personOf([ada], ['+61491570156'])

/** All letters of a local part (RFC 5322 3.2.3), and some beyond ASCII (RFC 6531). */
const localLetters = [..."abyz09!#$%&'*+-/=?^_`{|}~.ñжλ李"]
/** Characters that may follow within a domain. */
const domainLetters = ['a', 'z', '9', '-x', '.x', 'ñ', '.au']

const html = (text: string) => text.replace(/[^a-z0-9. ]/gi, (letter) => `&#${letter.codePointAt(0)};`)
const percent = (text: string) => encodeURIComponent(text).replaceAll("'", '%27')
/** Ways in which an address stands in what is stored. */
const places: [name: string, Written, (address: string) => unknown][] = [
  ['bare', 'address', (address) => address],
  ['with a name', 'address', (address) => `Ada "B" <${address}>`],
  ['in a list', 'address', (address) => ['bob@people.test', address]],
  ['a word', 'text', (address) => `Write to ${address}, please`],
  ['alone', 'text', (address) => address],
  ['at the end', 'text', (address) => `Write to ${address}.`],
  ['after a line', 'text', (address) => `Write to\n${address}\n`],
  ['a link', 'text', (address) => `<a href="mailto:${percent(address)}">write</a>`],
  ['a table', 'text', (address) => `<td>Address</td><td>${html(address)}</td>`],
  ['named entities', 'text', (address) => `<p>Hi ${address.replaceAll('&', '&amp;').replaceAll("'", '&apos;')}</p>`],
  ['a parameter', 'text', (address) => `see https://shop.test/leave?to=${percent(address)}&x=1 now`],
  ['within a parameter', 'text', (address) => `https://a.test/?next=${percent(`/leave?to=${percent(address)}`)}`],
  ['a form', 'text', (address) => `name=Ada&email=${percent(address)}`],
  ['a value', 'json', (address) => ({ deep: [{ to: address }] })],
  ['a key', 'json', (address) => ({ [address]: 1 })],
  ['JSON as text', 'json', (address) => JSON.stringify({ text: `Hi\n${address}` })],
  ['JSON that is cut off', 'text', (address) => JSON.stringify({ text: `Hi\n${address}` }).slice(0, -1)],
  ['a bare segment', 'path', (address) => `/v1/contacts/${address.replaceAll(/[/?#;%]/g, encodeURIComponent)}`],
  ['a segment', 'path', (address) => `/v1/contacts/${percent(address)}`],
  ['a parameter of a path', 'path', (address) => `/v1/emails?recipient=${percent(address)}&limit=1`],
]

for (const [name, written, write] of places) {
  test(`an address is found in any case, and not within a longer one: ${name}`, () => {
    assert.ok(namesPerson(write(ada), written, person), 'itself')
    assert.ok(namesPerson(write(ada.toUpperCase()), written, person), 'in capitals')
    for (const letter of localLetters) assert.ok(!namesPerson(write(`x${letter}${ada}`), written, person), letter)
    for (const letter of localLetters) assert.ok(!namesPerson(write(`${letter}${ada}`), written, person), letter)
    for (const more of domainLetters) assert.ok(!namesPerson(write(`${ada}${more}`), written, person), more)
  })
}

propertyTest('no address that has another letter on either side is taken for the person’s', () => {
  const part = fc.array(fc.constantFrom(...localLetters), { maxLength: 6 }).map((letters) => letters.join(''))
  const property = fc.property(
    fc.constantFrom(...places),
    part,
    fc.option(fc.constantFrom(...domainLetters), { nil: '' }),
    ([, written, write], before, after) => {
      assert.equal(namesPerson(write(`${before}${ada}${after}`), written, person), before === '' && after === '')
    },
  )
  fc.assert(property, { numRuns: randomCases(5000) })
})

test('marks around an address are not part of it, where a text shows that they are marks', () => {
  const shown = [
    `'${ada}'`,
    `**${ada}**`,
    `\`${ada}\``,
    `{${ada}}`,
    `<${ada}>`,
    `(${ada})`,
    `mailto:${ada}`,
    `ada: ${ada};`,
    `https://shop.test/people/${ada}/orders`,
    `https://shop.test/?email=${ada}&a=b`,
    `&lt;${ada}&gt;`,
    `<b>${ada}</b>`,
    `${ada}'s order`,
    `${ada}로`,
  ]
  for (const text of shown) assert.ok(namesPerson(`See ${text}`, 'text', person), text)
})

test('a number is found as a whole one, also encoded', () => {
  const found: [unknown, Written][] = [
    ['+61491570156', 'text'],
    ['Call +61491570156.', 'text'],
    [{ from: '+61491570156' }, 'json'],
    ['/v1/inbox/threads/sms/%2B61491570156', 'path'],
    ['/v1/inbox/threads/sms/%2b61491570156', 'path'],
    ['/v1/inbox/threads/sms/+61491570156', 'path'],
    ['https://shop.test/?next=%2Fcall%3Fto%3D%252B61491570156', 'text'],
    ['<a href="tel:&#43;61491570156">call</a>', 'text'],
  ]
  for (const [value, written] of found) assert.ok(namesPerson(value, written, person), String(value))
  for (const other of ['+614915701567', 'ada+61491570156@people.test', 'x+61491570156', '+61491570156@sms.test'])
    assert.ok(!namesPerson(other, 'text', person), other)
})

test('an address whose domain is written in Unicode is found in punycode, and the other way round', () => {
  for (const [known, written] of [
    ['ada@bücher.test', 'ada@xn--bcher-kva.test'],
    ['ada@xn--bcher-kva.test', 'Ada@Bücher.test'],
  ])
    assert.ok(namesPerson(`Hi ${written}!`, 'text', personOf([known!], [])), known)
})

test('the database finds every text in which the person is named', () => {
  const pattern = new RegExp(candidatePattern(person), 'i')
  for (const [name, , write] of places) {
    const value = write(ada)
    assert.match(typeof value === 'string' ? value : JSON.stringify(value), pattern, name)
  }
})
