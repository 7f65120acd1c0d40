import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { Multipart, Part } from './parts.ts'

const attemptsMax = 8 // a second is needed only if the content was written to contain the first
const stemLength = 32

export type Boundaries = Record<Multipart['kind'], string>

/**
 * Derives a boundary for each kind of multipart from the message id; a message has at most one of each kind. Null for a
 * single part. Searches only 7bit bodies for a conflict: base64 and quoted-printable never contain `=_` (RFC 2045 6.7).
 */
export function chooseBoundaries(messageId: string, root: Part): Boundaries | null {
  if ('body' in root) return null
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const stem = hash('sha256', `${messageId}${attempt}`).slice(0, stemLength)
    if (!contains(root, stem)) return { mixed: `=_mix_${stem}`, alternative: `=_alt_${stem}`, related: `=_rel_${stem}` }
  }
  assert.fail('boundary: the content holds every one that was tried')
}

function contains(part: Part, stem: string): boolean {
  if ('body' in part) return part.body.encoding === '7bit' && part.body.octets.includes(stem)
  return part.children.some((child) => contains(child, stem))
}
