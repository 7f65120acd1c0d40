/** Stands in place of a comment. A text with control characters is refused before. */
const mark = '\0'

/** A text with a mark in place of each comment, and what the comments say. */
type Commented = { bare: string; comments: string[] }

/**
 * Finds the comments of a mailbox (RFC 5322 3.2.2), which may be nested. Null if quotes or parentheses are not closed.
 */
export function readComments(text: string): Commented | null {
  if (!text.includes('(') && !text.includes(')')) return { bare: text, comments: [] }
  const comments: string[] = []
  let bare = ''
  let comment = ''
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    const isPair = character === '\\' && (depth > 0 || isQuoted)
    const piece = isPair ? text.slice(at, at + 2) : character
    if (isPair) at++
    else if (character === '"' && depth === 0) isQuoted = !isQuoted
    else if (character === '(' && !isQuoted && depth++ === 0) continue
    else if (character === ')' && !isQuoted && --depth === 0) {
      comments.push(comment.trim())
      comment = ''
      bare += mark
      continue
    }
    if (depth < 0) return null
    if (depth > 0) comment += isPair ? piece.slice(1) : piece
    else bare += piece
  }
  return depth === 0 && !isQuoted ? { bare, comments } : null
}

/** A text around its angle brackets. `inner` is null if one of them is missing. */
type Angled = { before: string; inner: string | null; after: string }

/** Divides a text at its angle brackets. Of a text without them, the comments at its ends are outside. */
export function anglesOf(bare: string): Angled {
  let [start, end] = [0, bare.length]
  while (isOutside(bare[end - 1])) end--
  if (bare[end - 1] === '>') {
    const open = bare.lastIndexOf('<')
    const inner = open === -1 ? null : bare.slice(open + 1, end - 1)
    return { before: bare.slice(0, Math.max(0, open)), inner, after: bare.slice(end) }
  }
  while (isOutside(bare[start])) start++
  return { before: bare.slice(0, start), inner: bare.slice(start, end), after: bare.slice(end) }
}

function isOutside(character: string | undefined): boolean {
  return character === ' ' || character === mark
}

export function countMarks(text: string): number {
  return text.split(mark).length - 1
}

export function withoutMarks(name: string): string {
  const words = name.split(mark).map((word) => word.trim())
  return words.filter((word) => word !== '').join(' ')
}

/**
 * Returns an address without its comments and the blanks around them. They stand at its ends and beside `@` and dots
 * only.
 */
export function withoutComments(address: string): string {
  if (!address.includes(mark)) return address
  const pieces = address.split(mark).map((piece) => piece.trim())
  const [first = '', ...others] = pieces.filter((piece) => piece !== '')
  return others.reduce((left, right) => {
    return /[@.]$/.test(left) || /^[@.]/.test(right) ? left + right : `${left}${mark}${right}`
  }, first)
}
