import { DomainError } from '../../platform/errors.ts'
import { decodeBody, decodeText } from '../mime/source/decode.ts'
import { findLeaves, type Leaf } from '../mime/source/leaves.ts'

/** The same limit as for the attachments of an API request. */
const filesMaxBytes = 25 * 1024 * 1024

/** Returns the texts that clients show, in the API's form; null if there is none. Throws `invalid` and `tooLarge`. */
export function shownTexts(octets: Buffer): { html: string | null; text: string | null } {
  const leaves = findLeaves(octets)
  if (!leaves) throw new DomainError('invalid', 'The message has more than 500 parts, or they nest deeper than 20.')
  const first = (type: string) => leaves.find((leaf) => leaf.type.value === type && !leaf.isFile)
  const [html, text] = [first('text/html'), first('text/plain')]
  refuseLargeFiles(
    octets,
    leaves.filter((leaf) => leaf !== html && leaf !== text),
  )
  return { html: html ? stored(octets, html) : null, text: text ? stored(octets, text) : null }
}

/** Returns a text in the API's form: line breaks are LF, and characters that PostgreSQL cannot store are removed or replaced. */
function stored(octets: Buffer, leaf: Leaf): string | null {
  const text = decodeText(octets, leaf)?.replaceAll('\r\n', '\n').replaceAll('\0', '').toWellFormed()
  return text?.replace(/\n$/, '') || null
}

function refuseLargeFiles(octets: Buffer, files: Leaf[]): void {
  const encodedBytes = files.reduce((sum, { bodyStart, bodyEnd }) => sum + bodyEnd - bodyStart, 0)
  // Decodes only if the encoded size may exceed the limit.
  if (encodedBytes <= filesMaxBytes) return
  const sizeBytes = files.reduce((sum, file) => sum + decodeBody(octets, file).length, 0)
  if (sizeBytes > filesMaxBytes) throw new DomainError('tooLarge', 'The attachments are larger than 25 MiB together.')
}
