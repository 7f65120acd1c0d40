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

/**
 * Tells whether a filled body has more than `max` characters. Long texts are not filled: placeholders may repeat, so a
 * request could make a text of millions of characters.
 */
export function isFilledLonger(body: string, variables: (string | undefined)[], max: number): boolean {
  const units = filledUnits(body, variables)
  if (units <= max) return false
  // A character has two UTF-16 units at most.
  return units > 2 * max || [...fillPlaceholders(body, variables)].length > max
}

/** Returns the length of a filled body in UTF-16 units. */
function filledUnits(body: string, variables: (string | undefined)[]): number {
  let units = body.length
  for (const [written, number] of body.matchAll(doubleBraces))
    units += (variables[Number(number) - 1] ?? written).length - written.length
  return units
}
