import assert from 'node:assert/strict'
import { type Attachment, isContentId, isContentType } from './content.ts'
import { guessContentType, unknown } from './content-types.ts'
import { encodeWords } from './encoded-words.ts'
import { refuseControls } from './headers.ts'
import { readMediaType } from './source/media-type.ts'

const plainLengthMax = 60 // keeps the parameter's line within 78
const sectionLengthMax = 54 // keeps a line that begins with `filename*99*=UTF-8''` within 78
/**
 * Excludes quotes, backslashes and percent signs, which clients read differently, and `=?`, which begins an encoded
 * word.
 */
const plain = /^(?!.*=\?)[!#$&-[\]-~](?:[ !#$&-[\]-~]*[!#$&-[\]-~])?$/

/** Returns the header lines of a file's part, without its encoding. `isInline` is true if the HTML shows the file. */
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
  const { value, parameters } = readMediaType(type)
  // RFC 2045 6.4 forbids base64 for these types, and only base64 carries every file unchanged.
  if (/^(?:multipart|message)\//.test(value)) return unknown
  // The filename is the name, so another one is left out, in the sections of RFC 2231 too.
  const others = [...parameters].filter(([name]) => !/^name(?:\*|$)/.test(name))
  return value + others.map(([name, given]) => `;\r\n ${name}=${tokenOrQuoted(given)}`).join('')
}

function tokenOrQuoted(value: string): string {
  return /^[!#$%&'*+.^\w`{|}~-]+$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`
}

/** Returns the `filename` parameter: in UTF-8 if necessary, and in sections if it is long (RFC 2231 3 and 4). */
function filenameParameter(filename: string): string {
  return isPlain(filename) ? `;\r\n filename="${filename}"` : utf8Parameter('filename', filename)
}

/** Returns a parameter in UTF-8, in sections if it is long (RFC 2231 3 and 4). */
export function utf8Parameter(name: string, value: string): string {
  const sections = percentEncoded(value)
  if (sections.length === 1) return `;\r\n ${name}*=UTF-8''${sections[0]}`
  return sections.map((text, n) => `;\r\n ${name}*${n}*=${n === 0 ? "UTF-8''" : ''}${text}`).join('')
}

/** Returns the older `name` parameter for clients without RFC 2231; they read encoded words there, despite RFC 2047. */
export function nameParameter(filename: string): string {
  if (isPlain(filename)) return `;\r\n name="${filename}"`
  const words = encodeWords(filename)
  return words.length === 1 ? `;\r\n name="${words[0]}"` : ''
}

function isPlain(filename: string): boolean {
  return filename.length <= plainLengthMax && plain.test(filename)
}

/**
 * Escapes all but the attribute-char of RFC 2231 7. Sections end between characters, because some clients require it.
 */
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
