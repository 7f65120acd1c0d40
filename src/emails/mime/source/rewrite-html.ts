import { decodeStrictly, encodeCharset, extendsAscii, isOtherSuperset } from './charset.ts'
import { decodeBody } from './decode.ts'
import { encodedPart, type Part } from './encoded-part.ts'
import { charsetOf } from './leaf-charset.ts'
import { findLeaves, type Leaf } from './leaves.ts'

/**
 * Changes a text by inserting and replacing ASCII. If the characters of `html` are octets, `read` reads those beyond
 * ASCII, and returns null if they have no meaning.
 */
export type HtmlChange = (html: string, read?: (written: string) => string | null) => string

/**
 * Returns the message with its HTML texts changed; files and sealed parts are left out. Returns the same buffer if
 * nothing changes. Line ends are CRLF. A changed part keeps its character set and each of its characters, and all
 * octets outside stay. A part stays unchanged if its character set does not let us be sure of that.
 */
export function rewriteHtml(source: Buffer, change: HtmlChange): Buffer {
  const pieces: Buffer[] = []
  let at = 0
  for (const leaf of findLeaves(source) ?? []) {
    const part = isHtml(leaf) ? changedPart(source, leaf, change) : null
    if (!part) continue
    pieces.push(source.subarray(at, part.start), part.octets)
    at = leaf.bodyEnd
  }
  return at === 0 ? source : Buffer.concat([...pieces, source.subarray(at)])
}

function isHtml({ type, isFile, isSealed }: Leaf): boolean {
  return type.value === 'text/html' && !isFile && !isSealed
}

function changedPart(source: Buffer, leaf: Leaf, change: HtmlChange): Part | null {
  if (!knownEncodings.has(leaf.encoding)) return null
  const content = decodeBody(source, leaf)
  const changed = changedContent(leaf, content, change)
  return changed === null || changed.equals(content) ? null : encodedPart(source, leaf, changed)
}

const knownEncodings = new Set(['7bit', '8bit', 'binary', 'quoted-printable', 'base64'])

function changedContent(leaf: Leaf, content: Buffer, change: HtmlChange): Buffer | null {
  const { label, encoding } = charsetOf(leaf, content)
  if (encoding === null ? isOtherSuperset(label) : extendsAscii(encoding)) {
    return shifts.some((octet) => content.includes(octet)) ? null : changedOctets(content, encoding, change)
  }
  return encoding === null ? null : changedText(content, encoding, change)
}

/** ESC, SO and NUL: the text is in another character set than it says, whose octets have another meaning. */
const shifts = [0x1b, 0x0e, 0x00]

/** Changes the octets themselves, so that even those without a meaning stay. */
function changedOctets(content: Buffer, encoding: string | null, change: HtmlChange): Buffer {
  const read = (written: string) =>
    encoding === null ? null : decodeStrictly(Buffer.from(written, 'latin1'), encoding)
  return Buffer.from(change(content.toString('latin1'), read), 'latin1')
}

/** Changes the text, if decoding and encoding it loses nothing. */
function changedText(content: Buffer, encoding: string, change: HtmlChange): Buffer | null {
  const text = decodeStrictly(content, encoding)
  return text !== null && encodeCharset(text, encoding)?.equals(content) ? encodeCharset(change(text), encoding) : null
}
