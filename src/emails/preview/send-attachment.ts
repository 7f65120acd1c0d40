import type { FastifyReply } from 'fastify'
import { readMediaType } from '../mime/source/media-type.ts'

type AttachmentFile = { filename: string | null; contentType: string | null; content: Buffer }

/** Types that no browser runs, even where a download is opened. */
const plainTypes =
  /^(image\/(png|jpeg|gif|webp|avif|bmp)|application\/(pdf|zip)|text\/(plain|csv|calendar)|(audio|video)\/[a-z0-9.+-]{1,50})$/

/** Answers an attachment as a download, never as a page. */
export function sendAttachment(reply: FastifyReply, { filename, contentType, content }: AttachmentFile): FastifyReply {
  const type = readMediaType(contentType ?? '').value
  return reply
    .headers({
      'Content-Disposition': `attachment; ${filenameOf(filename ?? 'attachment')}`,
      'Content-Security-Policy': "sandbox; default-src 'none'",
    })
    .type(plainTypes.test(type) ? type : 'application/octet-stream')
    .send(content)
}

/** Writes both forms of RFC 6266, without paths, quotes and control characters. */
function filenameOf(filename: string): string {
  const name =
    filename
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Cf}/\\"]+/gu, '_')
      .slice(0, 200) || 'attachment'
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  )
  return `filename="${name.replaceAll(/[^\x20-\x7e]|%/g, '_')}"; filename*=UTF-8''${encoded}`
}
