import fc from 'fast-check'

/** Characters that people see as one and that are several code points. */
const clusters = ['e\u0301', '👩‍👩‍👧', '🇩🇪', '👍🏽', 'नि', '각', '\r\n', '✈️']

/**
 * Any character: one code point, or a cluster of several. The `grapheme` unit of fast-check does the same with tables
 * that take half a second to build in each process.
 */
export const anyCharacter = fc.oneof(
  { weight: 9, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.constantFrom(...clusters) },
)
