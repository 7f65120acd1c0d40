import assert from 'node:assert/strict'
import { type Attachment, isContentId, isContentType } from './content.ts'
import { guessContentType, unknown } from './content-types.ts'
import { encodeWords } from './encoded-words.ts'
import { refuseControls } from './headers.ts'

const plainLengthMax = 60 // keeps the parameter's line within 78
const sectionLengthMax = 54 // `filename*99*=UTF-8''` before it
/** Quotes, backslashes and percent signs are read differently by different clients, and `=?` as an encoded word. */
const plain = /^(?!.*=\?)[!#$&-[\]-~](?:[ !#$&-[\]-~]*[!#$&-[\]-~])?$/

/** The header lines of a file's part, its encoding left out. `isInline`: shown inside the HTML it stands beside. */
export function attachmentHeaders(attachment: Attachment, isInline: boolean): string {
  const { filename, contentId } = attachment
  refuseControls('filename', filename)
  assert(contentId === null || isContentId(contentId), 'Content-ID: not a content id')
  const disposition = `Content-Disposition: ${isInline ? 'inline' : 'attachment'}${filenameParameter(filename)}\r\n`
  const identity = contentId === null ? '' : `Content-ID: <${contentId.replace(/^<|>$/g, '')}>\r\n`
  return `Content-Type: ${mediaType(attachment)}${nameParameter(filename)}\r\n${disposition}${identity}`
}

function mediaType(attachment: Attachment): string {
  const type = attachment.contentType ?? guessContentType(attachment.filename)
  assert(isContentType(type), 'Content-Type: not a media type')
  // RFC 2045 6.4: neither may travel in base64, and nothing else brings every file through unchanged
  if (/^(?:multipart|message)\//i.test(type)) return unknown
  return type.replace(/ *; */g, ';\r\n ')
}

/** RFC 2231 3 and 4: the name in UTF-8, in sections where it is long. */
function filenameParameter(filename: string): string {
  if (isPlain(filename)) return `;\r\n filename="${filename}"`
  const sections = percentEncoded(filename)
  if (sections.length === 1) return `;\r\n filename*=UTF-8''${sections[0]}`
  return sections.map((text, n) => `;\r\n filename*${n}*=${n === 0 ? "UTF-8''" : ''}${text}`).join('')
}

/** For clients that know no RFC 2231: the older parameter, and in it what RFC 2047 forbids and everybody reads. */
function nameParameter(filename: string): string {
  if (isPlain(filename)) return `;\r\n name="${filename}"`
  const words = encodeWords(filename)
  return words.length === 1 ? `;\r\n name="${words[0]}"` : ''
}

function isPlain(filename: string): boolean {
  return filename.length <= plainLengthMax && plain.test(filename)
}

/** RFC 2231 7's attribute-char stand for themselves; sections end between characters, which not every reader needs. */
function percentEncoded(filename: string): string[] {
  const sections = ['']
  for (const character of filename) {
    const piece = /[\w!#$&+.^`{|}~-]/.test(character) ? character : hexEscapes(character)
    const last = sections.length - 1
    if (sections[last]!.length + piece.length > sectionLengthMax) sections.push(piece)
    else sections[last] += piece
  }
  return sections
}

function hexEscapes(character: string): string {
  return Buffer.from(character, 'utf8').toString('hex').toUpperCase().replace(/../g, '%$&')
}
