import { isAscii, isUtf8 } from 'node:buffer'
import { decodeCharset, encodingOf } from '../charset.ts'
import { decodeBody } from '../decode.ts'
import { type Part, toBase64Part } from '../encoded-part.ts'
import { fieldLine } from '../fields.ts'
import { charsetOf, declaredCharset } from '../leaf-charset.ts'
import { findParts, type Head, type Leaf } from '../leaves.ts'
import { wordsInUtf8 } from '../words-in-utf8.ts'

type Edit = Part & { end: number }

/**
 * Returns a message with its shown texts and its headers in UTF-8, for parsers that read other character sets by the
 * tables of the runtime, which lack characters. Files and messages within it stay. Returns the same buffer if nothing
 * changes.
 */
export function inUtf8(source: Buffer): Buffer {
  const parts = findParts(source)
  if (!parts) return source
  const edits = [...parts.leaves, ...parts.multiparts].flatMap((part) => editOf(source, part) ?? [])
  const pieces: Buffer[] = []
  let at = 0
  for (const { start, end, octets } of edits.sort((one, other) => one.start - other.start)) {
    pieces.push(source.subarray(at, start), octets)
    at = end
  }
  return at === 0 ? source : Buffer.concat([...pieces, source.subarray(at)])
}

function editOf(source: Buffer, part: Head | Leaf): Edit | null {
  const text = 'type' in part ? shownText(source, part) : null
  if (text !== null && 'type' in part) {
    const { octets } = toBase64Part(source, part, Buffer.from(text), textLines(source, part))
    return { start: part.start, octets, end: part.bodyEnd }
  }
  const { start, bodyStart } = part
  const octets = headerInUtf8(source.subarray(start, bodyStart))
  return octets ? { start, octets, end: bodyStart } : null
}

/** Returns a text that parsers would misread; null for all others. */
function shownText(source: Buffer, leaf: Leaf): string | null {
  const { type, fields } = leaf
  const disposition = fields.find(({ name }) => name === 'content-disposition')?.value ?? ''
  if (!/^text\/(?:plain|html)$/.test(type.value) || /^attachment\b/i.test(disposition)) return null
  const content = decodeBody(source, leaf)
  const { encoding } = charsetOf(leaf, content)
  // As it is written: in single quotes the parser does not know it.
  const declared = type.parameters.get('charset') ?? declaredCharset(type.parameters)
  if (
    encoding === null ||
    (encoding === 'utf-8' && (isAscii(content) || declared === null || encodingOf(declared) === encoding))
  )
    return null
  return decodeCharset(content, encoding)
}

/** Writes the fields of a text in UTF-8, without its transfer encoding. */
function textLines(source: Buffer, { fields, type }: Leaf): string[] {
  const others = fields.filter(({ name }) => name !== 'content-type' && name !== 'content-transfer-encoding')
  const lines = others.map((field) => Buffer.from(fieldLine(source, field), 'latin1'))
  const flowed = ['format', 'delsp'].flatMap((name) => {
    const value = type.parameters.get(name)
    return value !== undefined && /^[\w-]+$/.test(value) ? `; ${name}=${value}` : []
  })
  return [
    ...lines.map((line) => (headerInUtf8(line) ?? line).toString('latin1')),
    `Content-Type: ${type.value}; charset=utf-8${flowed.join('')}\r\n`,
  ]
}

/** Returns fields in UTF-8; null if they are. */
function headerInUtf8(lines: Buffer): Buffer | null {
  const text = isUtf8(lines) ? lines.toString('utf8') : decodeCharset(lines, 'windows-1252')
  const changed = Buffer.from(wordsInUtf8(text))
  return changed.equals(lines) ? null : changed
}
