import { normalizeEncoding, TextDecoder as StandardDecoder } from '@exodus/bytes/encoding.js'
import { createMultibyteEncoder } from '@exodus/bytes/multi-byte.js'

/**
 * Returns the name, in lower case, of the encoding that clients use for a character set in mail: that of the Encoding
 * Standard, whose tables hold more characters than the character sets of the same labels. Null if there is none.
 */
export function encodingOf(charset: string): string | null {
  const label = charset.trim().toLowerCase()
  const known = normalizeEncoding(label) ?? normalizeEncoding(aliases.get(plain(label)) ?? plain(label))
  return known === 'replacement' ? null : known
}

/** Removes the prefixes and separators that mail programs add to labels. */
function plain(label: string): string {
  return label.replace(/^(?:x-ms-|x-|cs)/, '').replace(/[\s._-]+/g, '')
}

/** Labels that mail programs write and the standard does not list. */
const aliases = new Map(
  Object.entries({
    shift_jis: 'cp932 windows932 ms932 ibm932 shiftjis windows31j mskanji',
    gbk: 'cp936 windows936 ms936 euccn gb231280',
    'euc-kr': 'cp949 windows949 ms949 uhc euckr',
    big5: 'cp950 windows950 ms950 big5hkscs big5eten',
    'euc-jp': 'cp51932 eucjp eucjpms',
    'iso-2022-jp': 'cp50220 cp50221 cp50222 iso2022jp junet',
    'windows-874': 'cp874 ms874 tis620 iso885911',
    macintosh: 'macroman',
    'x-mac-cyrillic': 'maccyrillic',
    'utf-8': 'utf8mb4 cp65001',
  }).flatMap(([encoding, labels]) => labels.split(' ').map((label) => [label, encoding] as const)),
)

/**
 * Decodes octets in an encoding that `encodingOf` names. Octets that it does not have become U+FFFD. A mark of UTF-8 or
 * UTF-16 at the start is removed.
 */
export function decodeCharset(octets: Uint8Array, encoding: string): string {
  // For UTF-8 the decoder of the runtime is faster. Its tables of other encodings lack characters.
  return new (encoding === 'utf-8' ? TextDecoder : StandardDecoder)(encoding).decode(octets)
}

/** Decodes as above, and keeps a mark at the start. Null if the encoding does not have some octets. */
export function decodeStrictly(octets: Uint8Array, encoding: string): string | null {
  const options = { fatal: true, ignoreBOM: true }
  try {
    return new (encoding === 'utf-8' ? TextDecoder : StandardDecoder)(encoding, options).decode(octets)
  } catch {
    return null
  }
}

/**
 * Encodes a text in an encoding whose texts are not a superset of ASCII. Null if it does not have a character, or if we
 * cannot write it.
 */
export function encodeCharset(text: string, encoding: string): Buffer | null {
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  if (encoding !== 'iso-2022-jp') return null
  try {
    return Buffer.from(createMultibyteEncoder('iso-2022-jp')(text))
  } catch {
    return null
  }
}

/** True if each ASCII octet that HTML gives a meaning is this character, and is no part of another one. */
export function extendsAscii(encoding: string): boolean {
  return !/^utf-16|^iso-2022/.test(encoding)
}

const otherSupersets = new RegExp(
  [
    '(?:ibm|cp|x-cp)?-?(?:437|720|737|775|85[0-8]|86[0-35]|869|1006|1125)',
    '(?:x-)?mac-?(?:ce|centraleurope|latin2|greek|turkish|iceland(?:ic)?|romanian?|croatian)',
    'shift-jis-?(?:x0213|2004)|shift-jisx0213|euc-jis-?(?:x0213|2004)|euc-tw',
    'viscii|hp-?roman8|koi8-t|ptcp154|kz-?1048|armscii-8|georgian-(?:ps|academy)',
  ]
    .map((labels) => `^(?:${labels})$`)
    .join('|'),
)

/** Tells whether a character set that `encodingOf` does not know extends ASCII in this way. */
export function isOtherSuperset(charset: string): boolean {
  return otherSupersets.test(charset.trim().toLowerCase().replaceAll('_', '-'))
}
