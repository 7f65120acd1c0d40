import { countDigits, decimalOf, isDouble, shortForm } from './decimal.ts'

declare global {
  interface JSON {
    /** Returns an object that `JSON.stringify` writes as this text. */
    rawJSON(text: string): object
  }
}

/** The digits of a number, under a name that no JSON has. Enumerable, so that Node's deep comparison sees it. */
const written = Symbol('written')

/**
 * A number that a double does not hold: an integer past 2^53, a fraction of more than 17 digits, `1e400`. It keeps its
 * text. `JSON.stringify` and `String` write the text.
 */
export class ExactNumber {
  readonly [written]: string

  constructor(text: string) {
    this[written] = text
  }

  toString(): string {
    return this[written]
  }

  toJSON(): object {
    return JSON.rawJSON(this[written])
  }
}

/** Parses JSON. A number that a double does not hold becomes an `ExactNumber`. */
export function parseExactly(json: string): unknown {
  return mayHoldExact(json) ? parseAllExactly(json) : JSON.parse(json)
}

/** Tells whether JSON may hold a number that a double does not hold. It may be a part of a text. */
export function mayHoldExact(json: string): boolean {
  return longNumber.test(json)
}

/** A number of sixteen characters, or with an exponent. */
const longNumber = /(?:^|[[:,\s])-?\d(?:[\d.]{15}|[\d.]*[eE])/

/** Like `parseExactly`, for JSON that has such numbers. It takes several times as long as `JSON.parse`. */
export function parseAllExactly(json: string): unknown {
  return parseNumbers(json, (text) => text)
}

/** Parses the text of a `jsonb` value, in which PostgreSQL has written out all exponents. */
export function parseJsonb(json: string): unknown {
  return mayHoldExact(json) ? parseNumbers(json, shortForm) : JSON.parse(json)
}

type Reviver = (name: string, value: unknown, context: { source: string }) => unknown

function parseNumbers(json: string, form: (text: string) => string): unknown {
  const revive: Reviver = (_name, value, { source }) =>
    typeof value !== 'number' || String(value) === source || isDouble(source) ? value : new ExactNumber(form(source))
  return JSON.parse(json, revive as (name: string, value: unknown) => unknown)
}

/** The digits of a number, written without an exponent. PostgreSQL's `jsonb` writes it so. */
const digitsMax = 1000

/** Returns why a number cannot be kept, or null. */
export function exactFault(number: ExactNumber): string | null {
  return countDigits(String(number)) > digitsMax ? `must be a number of at most ${digitsMax} digits, written out` : null
}

/** Returns a number of either kind as a decimal; null for any other value. */
export function decimalOfValue(value: unknown) {
  const isNumber = typeof value === 'number' || value instanceof ExactNumber
  return isNumber ? decimalOf(String(value)) : null
}
