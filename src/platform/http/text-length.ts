import { _, type Ajv2020, str } from 'ajv/dist/2020.js'

/**
 * `minLength` and `maxLength` in characters, as JSON Schema has them, at a cost that does not grow with the text: a text of
 * 40 MB is refused or taken by its length alone. Characters are counted only where surrogate pairs decide.
 */
export function addTextLengths(ajv: Ajv2020): void {
  for (const keyword of ['minLength', 'maxLength'] as const) {
    ajv.removeKeyword(keyword)
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      // A pattern or a format is looked at only in a text of the right length.
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

/** A character is one or two UTF-16 units. */
const fits = {
  minLength: (text: string, min: number) => text.length >= min * 2 || charactersIn(text) >= min,
  maxLength: (text: string, max: number) => text.length <= max || (text.length <= max * 2 && charactersIn(text) <= max),
}

function charactersIn(text: string): number {
  let count = 0
  for (const _character of text) count++
  return count
}
