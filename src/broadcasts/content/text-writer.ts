export type TextWriter = {
  /** Blanks and line ends in it are one blank, as a browser shows them. */
  write(chars: string): void
  /** At least so many line ends before whatever comes next. */
  breakLine(count: 1 | 2): void
  /** One more line end, whatever there was. */
  newLine(): void
  rule(): void
  /** Begins the line of whatever comes next. */
  mark(text: string): void
  position(): number
  /** What was written since a position. */
  since(position: number): string
  text(): string
}

/** Two lines are left empty at most, and none at the beginning or the end. */
const breaksMax = 3

/** Puts words into lines: blanks and line ends are written only once something follows them. */
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
