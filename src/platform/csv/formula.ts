/**
 * The first character of a cell that a spreadsheet runs as a formula when the file is opened. Where people write
 * Japanese or Chinese, it may read the full-width forms as the others.
 */
const start = '[=+\\-@＝＋－＠\\t\\r\\n]'
const formula = new RegExp(`^'*${start}`)
const defused = new RegExp(`^''*${start}`)

/** Puts an apostrophe before a cell that could be a formula, so that spreadsheets show it as text. */
export function defuse(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell
}

/** Reverses `defuse`: `'+61…` becomes `+61…` again. */
export function undefuse(cell: string): string {
  return defused.test(cell) ? cell.slice(1) : cell
}
