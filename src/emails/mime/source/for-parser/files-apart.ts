import { decodeBody } from '../decode.ts'
import { toBase64Part } from '../encoded-part.ts'
import { fieldLine } from '../fields.ts'
import { findLeaves, type Leaf } from '../leaves.ts'

/**
 * Returns a message whose files a parser reads as they are: it adds the line end before a delimiter, which belongs to
 * the delimiter (RFC 2046 5.1.1), to a file that is not in base64, and reads a text with a file's name as text. Returns
 * the same buffer if nothing changes.
 */
export function filesApart(source: Buffer): Buffer {
  const pieces: Buffer[] = []
  let at = 0
  for (const leaf of findLeaves(source) ?? []) {
    if (!isMisread(leaf)) continue
    const { octets } = toBase64Part(source, leaf, contentOf(source, leaf), fileLines(source, leaf))
    pieces.push(source.subarray(at, leaf.start), octets)
    at = leaf.bodyEnd
  }
  return at === 0 ? source : Buffer.concat([...pieces, source.subarray(at)])
}

const shownTypes = /^text\/(?:plain|html)$/

function isMisread({ type, encoding, isFile }: Leaf): boolean {
  if (type.value.startsWith('multipart/')) return false
  return shownTypes.test(type.value) ? isFile : encoding !== 'base64'
}

/** Texts have the line ends of files on a disk, as people save them. All other files stay as they were sent. */
function contentOf(source: Buffer, leaf: Leaf): Buffer {
  const content = decodeBody(source, leaf)
  if (leaf.encoding === 'base64' || !/^(?:text|message)\//.test(leaf.type.value)) return content
  return Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}

/** Writes the fields of a file, without its transfer encoding. A text is a file only where its disposition says so. */
function fileLines(source: Buffer, { fields, type }: Leaf): string[] {
  const isText = shownTypes.test(type.value)
  let disposition = isText ? 'Content-Disposition: attachment\r\n' : ''
  const lines: string[] = []
  for (const field of fields) {
    if (field.name === 'content-transfer-encoding') continue
    const line = fieldLine(source, field)
    if (!isText || field.name !== 'content-disposition') lines.push(line)
    else disposition = line.replace(/^([^:]*:\s*)[^;\s]*/, '$1attachment')
  }
  return [...lines, disposition]
}
