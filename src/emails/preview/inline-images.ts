import { readMediaType } from '../mime/source/media-type.ts'

/** A part of a message that its HTML may show. */
export type InlinePart = { contentId: string | null; contentType: string | null; content: Buffer }

/** Ours, before base64: the images of one preview. The rest is left out. */
const imagesMaxBytes = 5 * 1024 * 1024
const imageForm = /^image\/[a-z0-9.+-]{1,50}$/

/** Makes the look-up of `cid:` addresses, which counts each use, since each is written into the document. */
export function inlineImagesOf(parts: InlinePart[]): (contentId: string) => string | null {
  const byId = new Map(parts.flatMap((part) => (part.contentId ? [[bare(part.contentId), part]] : [])))
  const written = new Map<InlinePart, string>()
  let leftBytes = imagesMaxBytes
  return (contentId) => {
    const part = byId.get(bare(decoded(contentId)))
    const type = readMediaType(part?.contentType ?? '').value
    if (!part || !imageForm.test(type) || part.content.length > leftBytes) return null
    leftBytes -= part.content.length
    const url = written.get(part) ?? `data:${type};base64,${part.content.toString('base64')}`
    written.set(part, url)
    return url
  }
}

function bare(contentId: string): string {
  return contentId.trim().replace(/^<(.*)>$/, '$1')
}

/** A `cid:` address is percent-encoded (RFC 2392). */
function decoded(contentId: string): string {
  try {
    return decodeURIComponent(contentId)
  } catch {
    return contentId
  }
}
