import { _, type Ajv2020, str } from 'ajv/dist/2020.js'

/**
 * Adds `minLength` and `maxLength` in characters, as JSON Schema defines them. Characters are counted only if surrogate
 * pairs matter, so a text of 40 MB is usually judged by its length.
 */
export function addTextLengths(ajv: Ajv2020): void {
  for (const keyword of ['minLength', 'maxLength'] as const) {
    ajv.removeKeyword(keyword)
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      // Patterns and formats are checked only in texts of the right length.
      before: 'pattern',
      errors: false,
      compile: (limit: number) => (text: string) => fits[keyword](text, limit),
      error: {
        message: ({ schemaCode }) =>
          str`must NOT have ${keyword === 'maxLength' ? 'more' : 'fewer'} than ${schemaCode} characters`,
        params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
      },
    })
  }
}

/** Compares lengths. A character is one or two UTF-16 units. */
const fits = {
  minLength: (text: string, min: number) => text.length >= min * 2 || charactersIn(text) >= min,
  maxLength: (text: string, max: number) => text.length <= max || (text.length <= max * 2 && charactersIn(text) <= max),
}

function charactersIn(text: string): number {
  let count = 0
  for (const _character of text) count++
  return count
}
