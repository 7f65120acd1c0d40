import { invalid } from '../errors.ts'

/** Deeper than requests need, and shallow enough for later recursive walks. */
const depthMax = 32

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const blankMax = 0x20

/**
 * Refuses JSON nested past 32 levels or with more than `membersMax` members and elements in all. A parser needs far more time
 * and memory for each of them than for text of the same size, so this runs before the parser, over the bytes, in one pass.
 * Other faults are left to the parser.
 */
export function refuseExcess(json: Buffer, membersMax: number): void {
  let depth = 0
  let members = 0
  let isOpened = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!
    if (byte <= blankMax) continue
    if (byte === closeList || byte === closeObject) {
      depth--
      isOpened = false
      continue
    }
    if (isOpened || byte === comma) {
      isOpened = false
      if (++members > membersMax) throw tooMany(membersMax)
    }
    if (byte === quote) at = endOfString(json, at)
    else if (byte === openList || byte === openObject) {
      if (++depth > depthMax) throw invalid('body', `is nested deeper than ${depthMax} levels`)
      isOpened = true
    }
  }
}

function tooMany(membersMax: number): Error {
  const allowed = membersMax.toLocaleString('en')
  return invalid('body', `holds too many values: at most ${allowed} members and elements in all are allowed here`)
}

/** Longer strings are searched for their closing quote: they may be megabytes of base64. */
const shortMax = 256

/** Returns the end of a string. The time is proportional to its length, with any escapes. */
function endOfString(json: Buffer, start: number): number {
  let at = start + 1
  while (at < json.length) {
    const near = Math.min(json.length, at + shortMax)
    for (; at < near; at++) {
      if (json[at] === backslash) at++
      else if (json[at] === quote) return at
    }
    const end = json.indexOf(quote, at)
    if (end === -1) return json.length
    let backslashes = 0
    while (end - 1 - backslashes >= at && json[end - 1 - backslashes] === backslash) backslashes++
    if (backslashes % 2 === 0) return end
    at = end + 1
  }
  return json.length
}
