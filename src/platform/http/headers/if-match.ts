import { invalid } from '../../errors.ts'
import type { KnownVersions } from '../../version.ts'

const tag = /(?:W\/)?("[\x21\x23-\x7e]*")/
const list = new RegExp(`^${tag.source}(?:[ \\t]*,[ \\t]*${tag.source})*$`)

/**
 * Reads the entity tags of If-Match. Null if the header is missing or `*`. A tag that a proxy marked as weak or of a
 * compressed answer counts as ours, because it is made from the content and not from its bytes.
 */
export function readIfMatch(header: string | undefined): KnownVersions {
  if (header === undefined || header.trim() === '*') return null
  const text = header.trim()
  if (!list.test(text)) throw invalid('If-Match', 'must be the ETag of an answer, in its quotation marks, or *')
  return [...text.matchAll(new RegExp(tag, 'g'))].map(([, quoted = '']) => quoted.replace(/[-;](gzip|br|zstd)"$/, '"'))
}
