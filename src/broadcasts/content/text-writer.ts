export type TextWriter = {
  /** Writes a text. A run of blanks and line ends becomes one blank, as in a browser. */
  write(chars: string): void
  /** Puts at least `count` line ends before the next text. */
  breakLine(count: 1 | 2): void
  /** Adds a line end to those before the next text, up to `breaksMax`. */
  newLine(): void
  rule(): void
  /** Puts a mark, such as a bullet, directly before the next text. */
  mark(text: string): void
  position(): number
  /** Returns the text written since a position. */
  since(position: number): string
  text(): string
}

/** Line ends in a row. This leaves at most two empty lines, and none at the beginning or the end. */
const breaksMax = 3

/** Writes words into lines. Blanks and line ends are written only when a word follows. */
export function createTextWriter(): TextWriter {
  const pieces: string[] = []
  let breaks = 0
  let blank = false
  let mark = ''

  function put(word: string): void {
    if (pieces.length > 0 && breaks > 0) pieces.push('\n'.repeat(breaks))
    else if (blank && pieces.length > 0) pieces.push(' ')
    if (mark !== '') pieces.push(mark)
    pieces.push(word)
    breaks = 0
    blank = false
    mark = ''
  }

  return {
    write(chars) {
      for (const part of chars.split(/([ \t\n\r\f\u00a0]+)/)) {
        if (part === '') continue
        if (/^[ \t\n\r\f\u00a0]/.test(part)) blank = true
        else put(part)
      }
    },
    breakLine(count) {
      breaks = Math.max(breaks, count)
      blank = false
    },
    newLine() {
      breaks = Math.min(breaks + 1, breaksMax)
      blank = false
    },
    rule() {
      breaks = Math.max(breaks, 2)
      put('-----')
      breaks = 2
    },
    mark(text) {
      mark = text
    },
    position: () => pieces.length,
    since: (position) => pieces.slice(position).join('').trim(),
    text: () => pieces.join(''),
  }
}
