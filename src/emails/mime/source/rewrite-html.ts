import { decodeText } from './decode.ts'
import { type Field, fieldLine } from './fields.ts'
import { findLeaves, type Leaf } from './leaves.ts'
import { toQuotedPrintablePart } from './quoted-printable-part.ts'

/**
 * The message with its first HTML text changed; the same buffer where there is none, where `change` leaves it as it is,
 * and where signing or encryption forbids it. Line ends of `source` are CRLF, those given to `change` too. The changed
 * part becomes quoted-printable UTF-8, and every octet outside of it and its header stays.
 */
export function rewriteHtml(source: Buffer, change: (html: string) => string): Buffer {
  const leaf = findLeaves(source)?.find(({ type, isFile }) => type.value === 'text/html' && !isFile)
  if (!leaf || leaf.isSealed) return source
  const html = decodeText(source, leaf)
  if (html === null) return source
  const changed = change(html)
  return changed === html ? source : replaceBody(source, leaf, changed)
}

function replaceBody(source: Buffer, leaf: Leaf, html: string): Buffer {
  const part = toQuotedPrintablePart(source, leaf, Buffer.from(html, 'utf8'), (field) => newType(source, field))
  return Buffer.concat([source.subarray(0, part.start), part.octets, source.subarray(leaf.bodyEnd)])
}

function newType(source: Buffer, field: Field): string {
  const line = fieldLine(source, field).trimEnd()
  const charset = /(;[ \t\r\n]*charset)[ \t]*=[ \t]*(?:"[^"]*"|[^;\s]*)/i
  return charset.test(line) ? `${line.replace(charset, '$1=utf-8')}\r\n` : `${line};\r\n charset=utf-8\r\n`
}
