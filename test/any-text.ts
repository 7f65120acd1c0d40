import fc from 'fast-check'

/** Characters that people see as one and that are several code points. */
const clusters = ['e\u0301', '👩‍👩‍👧', '🇩🇪', '👍🏽', 'नि', '각', '\r\n', '✈️']

const [surrogates, surrogatesEnd, codePoints] = [0xd800, 0xe000, 0x110000]
const codePoint = fc
  .integer({ min: 0, max: codePoints - (surrogatesEnd - surrogates) - 1 })
  .map((index) => String.fromCodePoint(index < surrogates ? index : index + surrogatesEnd - surrogates))

/**
 * Any character: one code point, or a cluster of several. The units `binary` and `grapheme` of fast-check do the same
 * with tables that take half a second to build in each process.
 */
export const anyCharacter = fc.oneof(
  { weight: 9, arbitrary: codePoint },
  { weight: 1, arbitrary: fc.constantFrom(...clusters) },
)
