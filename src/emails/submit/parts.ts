import { DomainError } from '../../platform/errors.ts'
import { attachmentsMaxBytes } from '../bounds.ts'
import { decodeBody } from '../mime/source/decode.ts'
import { findLeaves, type Leaf } from '../mime/source/leaves.ts'
import { shownLeaves } from '../mime/source/shown-texts.ts'

/** Throws `invalid` if a message has too many parts, and `tooLarge` if its attachments are. */
export function refuseParts(octets: Buffer): void {
  const leaves = findLeaves(octets)
  if (!leaves) throw new DomainError('invalid', 'The message has more than 500 parts, or they nest deeper than 20.')
  const { html, text } = shownLeaves(leaves)
  refuseLargeFiles(
    octets,
    leaves.filter((leaf) => leaf !== html && leaf !== text),
  )
}

function refuseLargeFiles(octets: Buffer, files: Leaf[]): void {
  const encodedBytes = files.reduce((sum, { bodyStart, bodyEnd }) => sum + bodyEnd - bodyStart, 0)
  // Decodes only if the encoded size may exceed the limit.
  if (encodedBytes <= attachmentsMaxBytes) return
  const sizeBytes = files.reduce((sum, file) => sum + decodeBody(octets, file).length, 0)
  if (sizeBytes > attachmentsMaxBytes)
    throw new DomainError('tooLarge', 'The attachments are larger than 25 MiB together.')
}
