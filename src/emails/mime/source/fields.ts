import { isUtf8 } from 'node:buffer'
import { CR } from '../line-ends.ts'
import { decodeCharset } from './charset.ts'

/** A header field and its offsets in the message; `end` is after its last line end. */
export type Field = { name: string; value: string; start: number; end: number }

/** `bodyStart` is the offset after the empty line, or the end if there is none. */
export type HeaderBlock = { fields: Field[]; bodyStart: number }

/**
 * Reads the header fields of the message or part between `start` and `end`, whose line ends are CRLF. Names are in
 * lower case, values are unfolded, and octets beyond ASCII are read as UTF-8, or as Windows-1252 if they are not valid
 * UTF-8. The name is empty for a line that is not a field.
 */
export function readFields(octets: Buffer, start: number, end: number): HeaderBlock {
  const headEnd = endOfFields(octets, start, end)
  const lines = octets.toString('latin1', start, headEnd).split(/\r\n(?![ \t])/)
  const fields: Field[] = []
  let at = start
  for (const line of lines) {
    const lineEnd = Math.min(at + line.length + 2, headEnd)
    if (line !== '') fields.push(fieldOf(line, at, lineEnd))
    at = lineEnd
  }
  const separated = headEnd + 2 <= end && octets[headEnd] === CR
  return { fields, bodyStart: separated ? headEnd + 2 : headEnd }
}

/** Returns the offset after the line end of the last field. */
function endOfFields(octets: Buffer, start: number, end: number): number {
  if (octets[start] === CR) return start
  const found = octets.indexOf('\r\n\r\n', start)
  return found === -1 || found + 2 > end ? end : found + 2
}

function fieldOf(line: string, start: number, end: number): Field {
  const match = nameForm.exec(line)
  if (!match) return { name: '', value: '', start, end }
  const value = line.slice(match[0].length).replaceAll('\r\n', '')
  return { name: match[1]!.toLowerCase(), value: asText(value).trim(), start, end }
}

/** A field's name (RFC 5322 3.6.8). Allows blanks before the colon, as the obsolete syntax and some clients do. */
const nameForm = /^([!-9;-~]+)[ \t]*:/

function asText(latin1: string): string {
  if (!/[\x80-\xff]/.test(latin1)) return latin1
  const octets = Buffer.from(latin1, 'latin1')
  return decodeCharset(octets, isUtf8(octets) ? 'utf-8' : 'windows-1252')
}

/** Returns the value of the first field with this name; null if there is none. */
export function fieldValue(fields: Field[], name: string): string | null {
  return fields.find((field) => field.name === name)?.value ?? null
}

/** Returns a field unchanged, with its line end. */
export function fieldLine(source: Buffer, { start, end }: Field): string {
  const line = source.toString('latin1', start, end)
  return line.endsWith('\r\n') ? line : `${line}\r\n`
}
