import { parseExactly } from '../../platform/numbers/exact-number.ts'
import { textNames } from '../fields.ts'
import type { ImportRow } from '../schema.ts'
import { CsvError } from './parse.ts'

const fields = ['email', ...textNames, 'unsubscribed', 'properties'] as const
type Field = (typeof fields)[number]

/** `fields` holds the field of each column, by position; null for a column whose name is not a field of the import. */
export type Columns = { header: string[]; fields: (Field | null)[]; ignored: string[] }

/**
 * Names are compared without case, blanks, `_` or `-`: `first_name`, `firstName` and `First name` match. Throws
 * `CsvError`.
 */
export function readColumns(header: string[], line: number): Columns {
  const found = header.map((name) => fields.find((field) => plainName(field) === plainName(name)) ?? null)
  const twice = found.find((field, index) => field !== null && found.indexOf(field) !== index)
  if (twice) throw new CsvError(line, `there are two columns for ${twice}; rename or remove one`)
  if (!found.includes('email')) {
    throw new CsvError(
      line,
      `there is no column "email"; the first row names the columns, and has ${header.join(', ')}`,
    )
  }
  return { header, fields: found, ignored: header.filter((_name, index) => found[index] === null) }
}

/** The name of a column without case, blanks, `_` and `-`. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '')
}

/** Turns a row of cells into a row of an import, or says why it cannot be read. An empty cell changes nothing. */
export function readCells({ header, fields: columns }: Columns, cells: string[]): ImportRow | string {
  if (cells.length !== header.length) return `has ${cells.length} cells where the header has ${header.length}`
  const row: ImportRow = {}
  for (const [index, cell] of cells.entries()) {
    const field = columns[index]
    const value = cell.trim()
    if (!field || value === '') continue
    row[field] = readValue(field, value)
    if (row[field] === undefined) return `${field}: must be a JSON object, as an export writes it`
  }
  return row
}

/** Returns undefined for properties that are no JSON object. */
function readValue(field: Field, text: string): unknown {
  if (field === 'unsubscribed') return readFlag(text)
  return field === 'properties' ? readObject(text) : text
}

function readObject(json: string): object | undefined {
  try {
    const value = parseExactly(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Reads `true`, `yes`, `y`, `1` and their opposites. Another text stays as it is, for the check of rows to refuse. */
export function readFlag(text: string): boolean | string {
  if (/^(true|yes|y|1)$/i.test(text)) return true
  return /^(false|no|n|0)$/i.test(text) ? false : text
}
