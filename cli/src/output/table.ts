import { ExactNumber } from '../../../src/platform/numbers/exact-number.ts'
import { visible, visibleJson } from './visible.ts'

type Row = Record<string, unknown>

const cellMax = 60
/** The HTML of an email is far longer. All of it is in the JSON. */
const lineMax = 500

/** Returns rows as a table with a heading, a column for each name. */
export function tableText(rows: readonly Row[], names: readonly string[]): string {
  const cells = rows.map((row) => names.map((name) => short(cellText(row[name]), cellMax)))
  const all = [names.map(headingOf), ...cells]
  const widths = names.map((_, column) => all.reduce((max, line) => Math.max(max, line[column]!.length), 0))
  const lines = all.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

/** Returns the names of the columns of rows: their first ones with plain values. */
export function columnsOf([first]: readonly Row[]): string[] {
  const isPlain = (value: unknown) => typeof value !== 'object' || value === null || value instanceof ExactNumber
  const names = Object.entries(first ?? {}).flatMap(([name, value]) => (isPlain(value) ? [name] : []))
  return names.slice(0, 5)
}

/** `createdAt` is `CREATED AT`. */
function headingOf(name: string): string {
  return visible(name.replaceAll(/[A-Z]/g, ' $&').toUpperCase())
}

/** Returns an object as lines of `key: value`. The fields of an inner object are `outer.inner`. */
export function linesText(value: Row, prefix = ''): string {
  return Object.entries(value)
    .map(([name, each]) => {
      const full = `${prefix}${visible(name)}`
      return isFilled(each) && prefix === ''
        ? linesText(each, `${full}.`)
        : `${full}: ${short(cellText(each), lineMax)}\n`
    })
    .join('')
}

function isFilled(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.length > 0 ? value.map(partText).join(', ') : '-'
  if (typeof value === 'object' && !(value instanceof ExactNumber))
    return Object.keys(value).length > 0 ? visibleJson(value) : '-'
  return visible(String(value))
}

/** A thing in a list is its name, if it has one. */
function partText(value: unknown): string {
  const { name } = (value ?? {}) as { name?: unknown }
  return typeof name === 'string' ? visible(name) : cellText(value)
}

function short(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text
}
