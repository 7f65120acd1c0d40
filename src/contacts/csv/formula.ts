/** A cell that begins so is a formula to a spreadsheet: whoever opens the file runs it. */
const start = '[=+\\-@\\t\\r\\n]'
const formula = new RegExp(`^'*${start}`)
const defused = new RegExp(`^''*${start}`)

/** The cell with an apostrophe before it if it could be a formula; spreadsheets then show it as text. */
export function defuse(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell
}

/** The inverse of `defuse`: `'+61…` is `+61…` again. */
export function undefuse(cell: string): string {
  return defused.test(cell) ? cell.slice(1) : cell
}
