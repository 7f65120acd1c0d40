import { isUtf8 } from 'node:buffer'
import { encodingOf } from './charset.ts'
import type { Leaf } from './leaves.ts'

/**
 * Returns the character set of a text, and the encoding by which clients read it, which is null if there is none. A
 * text that names none, or ASCII, is UTF-8 if it is valid UTF-8, because many mailers label UTF-8 as ASCII. Otherwise
 * HTML may name it itself, and else it is Windows-1252.
 */
export function charsetOf({ type }: Pick<Leaf, 'type'>, content: Buffer): { label: string; encoding: string | null } {
  const declared = declaredCharset(type.parameters)
  const mark = byteOrder(content)
  if (declared !== null && !isAsciiLabel(declared)) {
    const encoding = encodingOf(declared)
    return { label: declared, encoding: encoding?.startsWith('utf-16') ? utf16Of(declared, mark, content) : encoding }
  }
  if (mark) return { label: mark, encoding: mark }
  const named = declared === null && type.value === 'text/html' ? namedInHtml(content) : null
  // ISO-2022-JP is written in ASCII octets.
  const isShifted = named !== null && encodingOf(named) === 'iso-2022-jp'
  if (isUtf8(content) && !isShifted) return { label: 'utf-8', encoding: 'utf-8' }
  return named === null || isAsciiLabel(named)
    ? { label: 'windows-1252', encoding: 'windows-1252' }
    : { label: named, encoding: encodingOf(named) }
}

/** Returns the character set that a content type names, in lower case; null if there is none. */
export function declaredCharset(parameters: Map<string, string>): string | null {
  const given = parameters.get('charset') ?? parameters.get('charset*')?.split("'").at(-1)
  // Clients read single quotes as quotes, which some programs write.
  return (
    given
      ?.trim()
      .replace(/^'(.*)'$/, '$1')
      .toLowerCase() || null
  )
}

function isAsciiLabel(label: string): boolean {
  return /^(?:us-?)?ascii$|^(?:iso)?646(?:-us)?$|^ansi_x3\.4-19(?:68|86)$|^iso_646\.irv:1991$/i.test(label)
}

/** Returns the encoding that a byte order mark at the start names, or null. */
function byteOrder(content: Buffer): string | null {
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le'
  return content[0] === 0xfe && content[1] === 0xff ? 'utf-16be' : null
}

/** Without a mark, the first character decides for `utf-16`, which for markup and most text is an ASCII one. */
function utf16Of(label: string, mark: string | null, [first, second]: Buffer): string | null {
  const [, order] = /^utf-?16-?([lb]e)$/.exec(label.replaceAll('_', '-')) ?? []
  if (order) return `utf-16${order}`
  return mark ?? (second === 0 ? 'utf-16le' : first === 0 ? 'utf-16be' : null)
}

/** The octets that clients search (HTML 13.2.3.2). */
const namedWithin = 1024

function namedInHtml(content: Buffer): string | null {
  const start = content.toString('latin1', 0, namedWithin)
  return /<meta\b[^>]*?\bcharset[ \t\r\n]*=[ \t\r\n]*["']?[ \t\r\n]*([\w.:-]+)/i.exec(start)?.[1]?.toLowerCase() ?? null
}
