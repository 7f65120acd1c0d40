import { quotedPrintableSizeMax, toQuotedPrintable } from '../quoted-printable.ts'
import { type Field, fieldLine } from './fields.ts'
import type { Leaf } from './leaves.ts'

/**
 * Returns a leaf's part with `content` as its body, in quoted-printable. It replaces the octets of `source` from `start` to the
 * leaf's `bodyEnd`. `typeLine` writes the line of its content type.
 */
export function toQuotedPrintablePart(
  source: Buffer,
  { fields, bodyStart }: Leaf,
  content: Buffer,
  typeLine: (field: Field) => string = (field) => fieldLine(source, field),
): { start: number; octets: Buffer } {
  const kept = fields.filter(({ name }) => name !== 'content-transfer-encoding')
  const lines = kept.map((field) => (field.name === 'content-type' ? typeLine(field) : fieldLine(source, field)))
  const head = Buffer.from(`${lines.join('')}Content-Transfer-Encoding: quoted-printable\r\n\r\n`, 'latin1')
  const body = toQuotedPrintable(content, quotedPrintableSizeMax(content.length, content.length, content.length))
  return { start: fields[0]?.start ?? bodyStart, octets: Buffer.concat([head, body]) }
}
