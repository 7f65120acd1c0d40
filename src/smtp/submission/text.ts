const [LF, CR, DOT] = [0x0a, 0x0d, 0x2e]

/**
 * The result of reading a text after DATA. `ambiguous`: a line has only a dot but does not begin and end with CRLF.
 * Some servers end the text there and read commands after it, others do not (SMTP smuggling).
 */
export type Text =
  | { kind: 'whole'; octets: Buffer; rest: Buffer }
  | { kind: 'ambiguous' }
  /** Larger than allowed. It was read to its end, so that the sender reads the reply. */
  | { kind: 'tooLarge'; rest: Buffer }

type TextReader = {
  /** Adds input. Returns null until the end has arrived. */
  push(chunk: Buffer): Text | null
  /** The number of octets held in memory. */
  held(): number
}

const firstBytes = 16_384
/** The length of CRLF.CR, which may be the beginning of an end. */
const endLength = 4

/** Reads one text up to CRLF.CRLF, and removes the stuffed dots (RFC 5321 4.5.2). */
export function createTextReader(sizeMax: number): TextReader {
  // Begins with the line end of DATA, which is part of the end of an empty text.
  let held = Buffer.allocUnsafe(firstBytes)
  held[0] = CR
  held[1] = LF
  let length = 2
  let stuffed = false
  let isLarge = false

  function append(chunk: Buffer): void {
    if (length + chunk.length > held.length) {
      const larger = Buffer.allocUnsafe(Math.max(Math.min(held.length * 2, sizeMax), length + chunk.length))
      held.copy(larger, 0, 0, length)
      held = larger
    }
    chunk.copy(held, length)
    length += chunk.length
  }

  /** Discards the text. From then on only its end is searched. */
  function forget(): void {
    isLarge = true
    held = Buffer.from(held.subarray(length - endLength, length))
    length = endLength
  }

  function whole(end: number, rest: Buffer): Text {
    if (isLarge || end - 2 > sizeMax) return { kind: 'tooLarge', rest }
    const octets = held.subarray(2, end)
    return { kind: 'whole', octets: stuffed ? withoutStuffing(octets) : octets, rest }
  }

  return {
    push(chunk) {
      // Looks again at the last octets: the meaning of a dot may depend on the octets after it.
      const from = Math.max(0, length - endLength)
      append(chunk)
      const view = held.subarray(0, length)
      const nextDot = dotWalker(view, from)
      for (let at = nextDot(); at !== -1; at = nextDot()) {
        const found = judgeDot(view, at)
        if (found === 'ambiguous') return { kind: 'ambiguous' }
        if (found === 'end') return whole(at, view.subarray(at + 3))
        if (found === 'stuffed') stuffed = true
      }
      if (isLarge || length > sizeMax + endLength) forget()
      return null
    },
    held: () => held.length,
  }
}

/**
 * Iterates over the dots after a CR or LF; -1 at the end. Each search continues after the last match, so the time is
 * linear.
 */
function dotWalker(view: Buffer, from: number): () => number {
  let behindLf = view.indexOf(lfDot, from)
  let behindCr = view.indexOf(crDot, from)
  return () => {
    const takesLf = behindLf !== -1 && (behindCr === -1 || behindLf < behindCr)
    const lineEnd = takesLf ? behindLf : behindCr
    if (lineEnd === -1) return -1
    if (takesLf) behindLf = view.indexOf(lfDot, lineEnd + 1)
    else behindCr = view.indexOf(crDot, lineEnd + 1)
    return lineEnd + 1
  }
}

const lfDot = Buffer.from('\n.')
const crDot = Buffer.from('\r.')

type Dot = 'end' | 'stuffed' | 'ambiguous' | 'text' | 'unknown'

/** Returns the meaning of a dot after CR or LF; `unknown` until the octets after it have arrived. */
function judgeDot(view: Buffer, at: number): Dot {
  const next = view[at + 1]
  if (next === undefined) return 'unknown'
  const beginsLine = view[at - 1] === LF && view[at - 2] === CR
  if (next !== CR && next !== LF) return beginsLine ? 'stuffed' : 'text'
  if (!beginsLine || next === LF) return 'ambiguous'
  const last = view[at + 2]
  if (last === undefined) return 'unknown'
  return last === LF ? 'end' : 'ambiguous'
}

/** Removes stuffed dots in place: the write position never passes the read position. */
function withoutStuffing(octets: Buffer): Buffer {
  let to = 0
  let [before, last] = [CR, LF]
  for (const octet of octets) {
    const isStuffed = octet === DOT && last === LF && before === CR
    if (!isStuffed) octets[to++] = octet
    before = last
    last = octet
  }
  return octets.subarray(0, to)
}

/** Tells whether a CR is not followed by LF. Some clients read it as a line end, others do not. */
export function hasBareCr(octets: Buffer): boolean {
  for (let at = octets.indexOf(CR); at !== -1; at = octets.indexOf(CR, at + 1)) if (octets[at + 1] !== LF) return true
  return false
}
