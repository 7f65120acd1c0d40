import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../test/any-text.ts'
import { forAll } from '../../../../test/for-all.ts'
import { propertyTest } from '../../../../test/slow.ts'
import { measureText } from './segments.ts'

const countSegments = (body: string) => measureText(body).segments

const cases: [what: string, body: string, segments: number][] = [
  ['160 GSM-7 characters', 'a'.repeat(160), 1],
  ['161 GSM-7 characters', 'a'.repeat(161), 2],
  ['320 GSM-7 characters', 'a'.repeat(320), 2],
  ['80 characters of the extension table', '€'.repeat(80), 1],
  ['one more than 80 of the extension table', '€'.repeat(81), 2],
  ['159 characters and one of the extension table', `${'a'.repeat(159)}{`, 2],
  ['Greek capitals and accents that GSM-7 has', 'ΔΦΓΛΩΠΨΣΘΞÆæßÉÄÖÑÜäöñüàèéùìòÇØøÅå'.repeat(4), 1],
  ['70 UTF-16 units', 'я'.repeat(70), 1],
  ['71 UTF-16 units', 'я'.repeat(71), 2],
  ['35 emoji of two units each', '😀'.repeat(35), 1],
  ['36 emoji', '😀'.repeat(36), 2],
  ['one character outside GSM-7 among many within', `${'a'.repeat(70)}ç`, 2],
  ['a back quote, which GSM-7 lacks', '`'.repeat(71), 2],
  ['a form feed, which the extension table has', '\f'.repeat(80), 1],
  ['line breaks', '\r\n'.repeat(80), 1],
  ['1600 GSM-7 characters', 'a'.repeat(1600), 10],
]
for (const [what, body, segments] of cases) {
  test(`${what} take ${segments}`, () => assert.equal(countSegments(body), segments))
}

propertyTest('a longer text never takes fewer segments, and a text fits into its segments', () => {
  forAll(
    { always: 100 },
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 300 }),
    fc.string({ unit: anyCharacter }),
    (head, tail) => {
      const segments = countSegments(head)
      assert.ok(segments >= 1 && countSegments(head + tail) >= segments)
      assert.ok(segments <= Math.ceil(head.length / 70))
    },
  )
})
