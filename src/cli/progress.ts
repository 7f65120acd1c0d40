const barWidth = 30

/**
 * Shows progress as a bar on a terminal, else as a line every `linesEvery` items. Writes to stderr, because stdout
 * holds the result.
 */
export function progressOf(noun: string, linesEvery: number) {
  const { stderr } = process
  let nextLine = linesEvery
  return {
    /** Shows that `part` of the whole (0 to 1) is done, at `items` items. */
    show(part: number, items: number): void {
      const percent = `${Math.floor(part * 100)}%`
      if (stderr.isTTY) {
        const bar = '#'.repeat(Math.round(part * barWidth)).padEnd(barWidth, '-')
        stderr.write(`\r[${bar}] ${percent.padStart(4)}  ${count(items)} ${noun}`)
      } else if (items >= nextLine) {
        stderr.write(`${count(items)} ${noun}, ${percent}\n`)
        nextLine = items + linesEvery
      }
    },
    end: () => void (stderr.isTTY && stderr.write('\n')),
  }
}

export function count(value: number): string {
  return value.toLocaleString('en')
}

/** Writes a number and its noun: `1 row`, `2,000 rows`. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`
}
