import { decodeText } from './decode.ts'
import { findLeaves, type Leaf } from './leaves.ts'

export type Texts = { html: string | null; text: string | null }

/** Returns the parts that clients show as the message: the first HTML and the first plain text that are not files. */
export function shownLeaves(leaves: Leaf[]): { html: Leaf | undefined; text: Leaf | undefined } {
  const first = (type: string) => leaves.find((leaf) => leaf.type.value === type && !leaf.isFile)
  return { html: first('text/html'), text: first('text/plain') }
}

/**
 * Returns the texts that clients show of a message with CRLF line ends, in the API's form. Null if there is none, or if
 * its character set is unknown.
 */
export function shownTexts(octets: Buffer): Texts {
  const { html, text } = shownLeaves(findLeaves(octets) ?? [])
  return { html: html ? decoded(octets, html) : null, text: text ? decoded(octets, text) : null }
}

/**
 * Returns a text in the API's form: line breaks are LF, and characters that PostgreSQL cannot store are removed or
 * replaced.
 */
function decoded(octets: Buffer, leaf: Leaf): string | null {
  const text = decodeText(octets, leaf)?.replaceAll('\r\n', '\n').replaceAll('\0', '').toWellFormed()
  return text?.replace(/\n$/, '') || null
}
