import { addressParser, decodeWords, type Header } from 'postal-mime'
import { formatMailbox } from '../emails/mailbox.ts'
import { parseMail } from '../emails/parse-mail.ts'
import { type MessagePart, partsOf } from '../emails/read-parts.ts'

/** Parses what no column has: text, HTML, headers, and the attachments as `parts`. */
export async function readMessage(raw: Buffer) {
  const message = await parseMail(raw)
  return {
    cc: addressesOf(message.headers, 'cc'),
    html: bodyOf(message.html),
    text: bodyOf(message.text),
    headers: headersOf(message.headers),
    parts: partsOf(message),
  }
}

/** Returns the text with the author's line breaks. In transit they are CRLF, and the last line always has one. */
function bodyOf(text: string | undefined): string | null {
  return text?.replaceAll('\r\n', '\n').replace(/\n$/, '') ?? null
}

function addressesOf(headers: Header[], key: string): string[] | null {
  const found = headers
    .filter((header) => header.key === key)
    .flatMap((header) => addressParser(header.value, { flatten: true }))
    .flatMap(({ name, address }) => (address ? formatMailbox({ name: decodeWords(name), address }) : []))
  return found.length > 0 ? found : null
}

function headersOf(headers: Header[]): Record<string, string> {
  const values = new Map<string, { name: string; lines: string[] }>()
  for (const { key, originalKey, value } of headers) {
    const known = values.get(key)
    if (known) known.lines.push(decodeWords(value))
    else values.set(key, { name: originalKey, lines: [decodeWords(value)] })
  }
  return Object.fromEntries([...values.values()].map(({ name, lines }) => [name, lines.join('\n')]))
}

export function partSummaryOf({ content, ...part }: MessagePart) {
  return { ...part, size: content.length }
}
