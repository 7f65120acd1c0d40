import { ExactNumber } from '../../../src/platform/numbers/exact-number.ts'

type Reviver = (name: string, value: unknown, context: { source: string }) => unknown

const revive: Reviver = (_name, value, { source }) =>
  typeof value === 'number' && String(value) !== source ? new ExactNumber(source) : value

/**
 * Parses JSON and keeps its numbers as they are written, also `1.0`, since people see them. Browsers older than Chrome
 * 114, Firefox 135 and Safari 18.4 cannot keep them.
 */
export function parseJson(text: string): unknown {
  const canKeep = 'rawJSON' in JSON && /\d{16}|\d[.eE]/.test(text)
  return canKeep ? JSON.parse(text, revive as (name: string, value: unknown) => unknown) : JSON.parse(text)
}

/** Reads what was typed into a field for numbers. */
export function readNumber(text: string): number | ExactNumber {
  try {
    const value = parseJson(text)
    if (typeof value === 'number' || value instanceof ExactNumber) return value
  } catch {
    // JSON does not know `.5`.
  }
  return Number(text)
}
