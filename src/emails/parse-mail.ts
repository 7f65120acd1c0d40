import PostalMime from 'postal-mime'
import { filesApart } from './mime/source/for-parser/files-apart.ts'
import { inFewLines } from './mime/source/for-parser/in-few-lines.ts'
import { inUtf8 } from './mime/source/for-parser/in-utf8.ts'

export type ParsedMail = Awaited<ReturnType<typeof PostalMime.parse>>

/**
 * Parses a complete message, with its texts as clients show them. A message within it is an attachment, not part of the
 * text.
 */
export function parseMail(raw: Buffer): Promise<ParsedMail> {
  return PostalMime.parse(inFewLines(filesApart(inUtf8(raw))), { forceRfc822Attachments: true })
}
