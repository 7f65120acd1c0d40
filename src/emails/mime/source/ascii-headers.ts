import { isAscii, isUtf8 } from 'node:buffer'
import { decodeWords } from 'postal-mime'
import { nameParameter, utf8Parameter } from '../attachments.ts'
import { fieldForm } from '../field-forms.ts'
import { givenHeader } from '../headers.ts'
import { decodeCharset, decodeStrictly, encodingOf } from './charset.ts'
import type { Field } from './fields.ts'
import { declaredCharset } from './leaf-charset.ts'
import { findParts, type Parts } from './leaves.ts'
import { readMediaType } from './media-type.ts'
import { wordsInUtf8 } from './words-in-utf8.ts'

/**
 * Returns a message with its header fields in ASCII, those of its parts too: words are encoded, and addresses and URIs
 * stay readable. With `keepsUtf8` it changes only fields that are not UTF-8. Control characters, for which some servers
 * refuse a message, are left out in any case. Signed and encrypted parts stay. Returns the same buffer if nothing
 * changes.
 */
export function asciiHeaders(source: Buffer, keepsUtf8: boolean): Buffer {
  const parts = findParts(source)
  if (!parts) return source
  const heads = [...parts.leaves, ...parts.multiparts].filter(({ isSealed }) => !isSealed)
  const isKept = (octets: Buffer) => (keepsUtf8 ? isUtf8(octets) : isAscii(octets)) && !control.test(octets.toString())
  const beyond = heads.filter(({ start, bodyStart }) => !isKept(source.subarray(start, bodyStart)))
  const pieces: Buffer[] = []
  let at = 0
  for (const { fields } of beyond.sort((one, other) => one.start - other.start)) {
    for (const field of fields) {
      const octets = source.subarray(field.start, field.end)
      if (isKept(octets)) continue
      const line = asciiLine(field, textOf(octets, parts))
      if (line === null) continue
      pieces.push(source.subarray(at, field.start), Buffer.from(line, 'latin1'))
      at = field.end
    }
  }
  return at === 0 ? source : Buffer.concat([...pieces, source.subarray(at)])
}

/** Control characters other than a tab and the line ends of the header. */
export const control = /(?![\t\r\n])\p{Cc}/u
const controls = /(?!\t)\p{Cc}+/gu

/** The change to Japanese in ISO-2022-JP, which some programs write into fields as it is. */
const toJapanese = Buffer.from('\x1b$', 'latin1')

/** Reads a field as UTF-8, or else in the character set of the message's first text that names one. */
function textOf(octets: Buffer, { leaves }: Parts): string {
  const japanese = octets.includes(toJapanese) ? decodeStrictly(octets, 'iso-2022-jp') : null
  if (japanese !== null) return japanese
  if (isUtf8(octets)) return octets.toString('utf8')
  const charset = leaves.map(({ type }) => declaredCharset(type.parameters)).find((declared) => declared !== null)
  const encoding = charset ? encodingOf(charset) : null
  const text = encoding && encoding !== 'utf-8' ? decodeStrictly(octets, encoding) : null
  return text ?? decodeCharset(octets, 'windows-1252')
}

/** Returns the field in ASCII, under its name as written. Null if that is impossible. */
function asciiLine({ name }: Field, text: string): string | null {
  const colon = text.indexOf(':')
  const written = text.slice(0, colon).trim()
  const value = text
    .slice(colon + 1)
    .replace(controls, '')
    .trim()
  const form = fieldForm(name)
  if (form === 'parameters') return parametersLine(written, value)
  return givenHeader(written, form === 'text' ? decodeWords(wordsInUtf8(value)).replace(controls, ' ') : value)
}

/** Null if the boundary is beyond ASCII, because the lines between the parts hold it too. */
function parametersLine(name: string, text: string): string | null {
  const { value, parameters } = readMediaType(text)
  const kept = [value, ...parameters.keys(), parameters.get('boundary') ?? '']
  if (!/^[\x20-~]+$/.test(kept.join(''))) return null
  const written = [...parameters].map(([key, given]) => {
    if (/^[\x20-~]*$/.test(given)) return `;\r\n ${key}="${given.replace(/["\\]/g, '\\$&')}"`
    return (key === 'name' && nameParameter(given)) || utf8Parameter(key, given)
  })
  return `${name}: ${value}${written.join('')}\r\n`
}
