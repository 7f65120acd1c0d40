import { decimalOf, isDouble } from '../../platform/numbers/decimal.ts'

/**
 * Writes the numbers of a JSON text that code cannot read as JavaScript numbers as texts that begin with `mark`:
 * integers past 2^53, fractions of more than 17 digits, `1e400`. The sandbox runs this function too, from its text.
 */
export function markNumbers(json: string, mark: string): string {
  // The parts of a text are matched in whole runs, so that a long text takes no stack.
  const token = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g
  const isReadable = (number: string) =>
    isDouble(number) ||
    (number.includes('.') &&
      decimalOf(number).digits.length <= 17 &&
      Math.abs(Number(number)) <= Number.MAX_SAFE_INTEGER &&
      Number(number) !== 0)
  return json.replace(token, (part) => (part[0] === '"' || isReadable(part) ? part : `"${mark}${part}"`))
}

/** Turns marked texts back into numbers. Names of members stay. */
export function unmarkNumbers(json: string, mark: string): string {
  if (!json.includes(mark)) return json
  return json.replace(new RegExp(`"${mark}(-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)"(?!:)`, 'g'), '$1')
}

/**
 * JavaScript for the sandbox: a function of the mark and of `JSON.parse`, which returns what reads and writes JSON with
 * all digits. Code sees an integer past 2^53 as a BigInt, and any other number that JavaScript does not hold as an
 * ExactNumber.
 */
export const exactSource = `(mark, parse) => {
  'use strict'
  ${[decimalOf, isDouble, markNumbers, unmarkNumbers].map(String).join('\n')}
  const known = { __proto__: null }
  class ExactNumber {
    #digits
    constructor(digits) { this.#digits = digits }
    toString() { return this.#digits }
    toJSON() { return mark + this.#digits }
    [Symbol.toPrimitive](hint) {
      if (hint === 'default') throw new TypeError(this.#digits + ' has more digits than a JavaScript number: write Number(…) or String(…) around it')
      return hint === 'number' ? Number(this.#digits) : this.#digits
    }
  }
  const exact = (digits) => (/[.eE]/.test(digits) ? (known[digits] ??= Object.freeze(new ExactNumber(digits))) : BigInt(digits))
  const revive = (name, value) => typeof value === 'string' && value.startsWith(mark) ? exact(value.slice(mark.length)) : value
  return {
    read: (json) => parse(json, revive),
    parse(json, reviver) {
      const marked = markNumbers(json, mark)
      if (marked === json) return parse(json, reviver)
      if (typeof reviver !== 'function') return parse(marked, revive)
      return parse(marked, function (name, value) { return reviver.call(this, name, revive(name, value)) })
    },
    unmark: (json) => unmarkNumbers(json, mark),
  }
}`
