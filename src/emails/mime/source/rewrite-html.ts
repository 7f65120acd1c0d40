import { decodeText } from './decode.ts'
import { type Field, fieldLine } from './fields.ts'
import { findLeaves, type Leaf } from './leaves.ts'
import { toQuotedPrintablePart } from './quoted-printable-part.ts'

/**
 * Returns the message with its first HTML text changed. Returns the same buffer if there is none, if `change` leaves it
 * unchanged, or if it is sealed or unreadable. Line ends are CRLF, in `source` and in the text given to `change`. The
 * changed part becomes quoted-printable UTF-8; all octets outside that part stay.
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
