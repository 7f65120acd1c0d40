import { quotedPrintableSizeMax, toQuotedPrintable } from '../quoted-printable.ts'
import { decodeText } from './decode.ts'
import type { Field } from './fields.ts'
import { findLeaves, type Leaf } from './leaves.ts'

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
  const octets = Buffer.from(html, 'utf8')
  const body = toQuotedPrintable(octets, quotedPrintableSizeMax(octets.length, octets.length, octets.length))
  const head = newHead(source, leaf)
  return Buffer.concat([source.subarray(0, head.start), head.octets, body, source.subarray(leaf.bodyEnd)])
}

/** The part's header with what its new body is; it has a content type, or it would not be HTML. */
function newHead(source: Buffer, { fields, bodyStart }: Leaf): { start: number; octets: Buffer } {
  const kept = fields.filter(({ name }) => name !== 'content-transfer-encoding')
  const lines = kept.map((field) => (field.name === 'content-type' ? newType(source, field) : lineOf(source, field)))
  const text = `${lines.join('')}Content-Transfer-Encoding: quoted-printable\r\n\r\n`
  return { start: fields[0]?.start ?? bodyStart, octets: Buffer.from(text, 'latin1') }
}

function newType(source: Buffer, field: Field): string {
  const line = lineOf(source, field).trimEnd()
  const charset = /(;[ \t\r\n]*charset)[ \t]*=[ \t]*(?:"[^"]*"|[^;\s]*)/i
  return charset.test(line) ? `${line.replace(charset, '$1=utf-8')}\r\n` : `${line};\r\n charset=utf-8\r\n`
}

function lineOf(source: Buffer, { start, end }: Field): string {
  const line = source.toString('latin1', start, end)
  return line.endsWith('\r\n') ? line : `${line}\r\n`
}
