/** The key under which an attachment has its bytes. */
const key = Buffer.from('"content"')
/** The tokens in front of the list in a `Buffer` that was written as JSON. */
const wrapper = ['{', '"type"', ':', '"Buffer"', ',', '"data"', ':'].map((token) => Buffer.from(token))

const [backslash, colon, comma, quote] = [0x5c, 0x3a, 0x2c, '"']
const [openList, closeList, closeObject] = [0x5b, 0x5d, 0x7d]
const [zero, nine] = [0x30, 0x39]
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d])

/**
 * Writes the bytes of attachments as base64 where a body has them as a list of numbers, as Resend's packages for Go,
 * Python and Ruby write them, or as a `Buffer`. This runs over the octets, since a parser needs many times the memory
 * for a list. What is no such list stays as it is.
 */
export function byteListsAsBase64(json: Buffer): Buffer {
  const parts: Buffer[] = []
  let done = 0
  for (let at = json.indexOf(key); at !== -1; at = json.indexOf(key, Math.max(at + 1, done))) {
    // Within a text both quotes are escaped.
    const list = json[at - 1] === backslash ? null : readList(json, at + key.length)
    if (!list) continue
    parts.push(json.subarray(done, list.start), Buffer.from(quote + list.bytes.toString('base64') + quote))
    done = list.end
  }
  return parts.length === 0 ? json : Buffer.concat([...parts, json.subarray(done)])
}

type List = { start: number; end: number; bytes: Buffer }

/** Reads `: [1,2]` or `: {"type":"Buffer","data":[1,2]}` behind a key. Null if something else stands there. */
function readList(json: Buffer, from: number): List | null {
  const at = skipBlanks(json, from)
  if (json[at] !== colon) return null
  const start = skipBlanks(json, at + 1)
  const wrapped = skipWrapper(json, start)
  const open = wrapped ?? start
  if (json[open] !== openList) return null
  const close = json.indexOf(closeList, open)
  if (close === -1) return null
  const last = wrapped === null ? close : skipBlanks(json, close + 1)
  if (wrapped !== null && json[last] !== closeObject) return null
  const bytes = readBytes(json.subarray(open + 1, close))
  return bytes && { start, end: last + 1, bytes }
}

/** Returns the place behind the wrapper; null if it does not stand there. */
function skipWrapper(json: Buffer, from: number): number | null {
  let at = from
  for (const token of wrapper) {
    if (!json.subarray(at, at + token.length).equals(token)) return null
    at = skipBlanks(json, at + token.length)
  }
  return at
}

function skipBlanks(json: Buffer, from: number): number {
  let at = from
  while (blanks.has(json[at]!)) at++
  return at
}

/** Reads numbers from 0 to 255 with commas between them. Null for anything else. */
function readBytes(list: Buffer): Buffer | null {
  const bytes = Buffer.alloc(Math.ceil(list.length / 2))
  let at = skipBlanks(list, 0)
  let count = 0
  while (at < list.length) {
    let value = 0
    const start = at
    for (; list[at]! >= zero && list[at]! <= nine; at++) value = value * 10 + list[at]! - zero
    if (at === start || value > 255) return null
    bytes[count++] = value
    at = skipBlanks(list, at)
    if (at === list.length) break
    if (list[at] !== comma) return null
    at = skipBlanks(list, at + 1)
    // A comma in front of nothing.
    if (at === list.length) return null
  }
  return bytes.subarray(0, count)
}
