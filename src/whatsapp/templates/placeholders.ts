import { invalid } from '../../platform/errors.ts'

/** WhatsApp's limit of a message, in characters, as JSON Schema counts. */
export const whatsappBodyMax = 4096

const doubleBraces = /\{\{(.*?)\}\}/gs

/**
 * Counts the variables of a body. Its placeholders are `{{1}}` to `{{n}}` without gaps, in any order, and may repeat.
 * Throws `invalid` for anything else in double braces.
 */
export function countVariables(body: string): number {
  const used = new Set<number>()
  for (const [written, content = ''] of body.matchAll(doubleBraces)) {
    if (!/^[1-9]\d{0,4}$/.test(content))
      throw invalid('body', `${written.slice(0, 40)} is no placeholder; write {{1}}, {{2}} and so on, without blanks`)
    used.add(Number(content))
  }
  for (let number = 1; number <= used.size; number++) {
    if (!used.has(number)) throw invalid('body', `{{${number}}} is missing; placeholders are numbered without gaps`)
  }
  return used.size
}

/** Fills the placeholders of a body. Those without a variable stay, and placeholders in values are not filled. */
export function fillPlaceholders(body: string, variables: (string | undefined)[]): string {
  return body.replace(doubleBraces, (written, number: string) => variables[Number(number) - 1] ?? written)
}
