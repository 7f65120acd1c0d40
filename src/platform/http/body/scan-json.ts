import { invalid } from '../../errors.ts'

/** Deeper than requests need, and shallow enough for later recursive walks. */
const depthMax = 32

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [minus, zero, nine] = [0x2d, 0x30, 0x39]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const blankMax = 0x20

/**
 * Refuses JSON nested past 32 levels or with more than `membersMax` members and elements in all. A parser needs far
 * more time and memory for each of them than for text of the same size, so this runs before the parser, over the bytes,
 * in one pass. Other faults are left to the parser. Tells whether there is a number that a double may not hold.
 */
export function refuseExcess(json: Buffer, membersMax: number): { mayHoldExact: boolean } {
  let depth = 0
  let members = 0
  let isOpened = false
  let mayHoldExact = false
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
    } else if ((byte >= zero && byte <= nine) || byte === minus) {
      const end = endOfNumber(json, at)
      mayHoldExact ||= end - at > safeLength || hasExponent(json, at, end)
      at = end - 1
    }
  }
  return { mayHoldExact }
}

/** A double holds every number of fifteen digits. */
const safeLength = 15
const [plus, point, exponent, smallExponent] = [0x2b, 0x2e, 0x45, 0x65]

/** Returns the place after the characters of a number. */
function endOfNumber(json: Buffer, start: number): number {
  let at = start + 1
  while (at < json.length && isOfNumber(json[at]!)) at++
  return at
}

function isOfNumber(byte: number): boolean {
  if (byte >= zero && byte <= nine) return true
  return byte === point || byte === exponent || byte === smallExponent || byte === minus || byte === plus
}

function hasExponent(json: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (json[at] === exponent || json[at] === smallExponent) return true
  return false
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
