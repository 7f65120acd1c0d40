import { type Token, Tokenizer, TokenizerMode } from 'parse5'

/** The link of an `<a>` or `<area>`: the offsets of its `href` value without quotes, and the decoded value. */
export type ScannedLink = { start: number; end: number; href: string; attributes: ReadonlyMap<string, string> }

/**
 * `bodyEnd` is the offset for a last element of the body; null if the document ends inside a tag, comment or raw text.
 */
type ScannedHtml = { links: ScannedLink[]; bodyEnd: number | null }

/**
 * Reads a text beyond ASCII of a document whose characters are octets of another encoding. Null if it has no meaning
 * there.
 */
export type ReadWritten = (written: string) => string | null

/**
 * Finds the links of a document as a browser does, without building its tree: reading tokens takes linear time, while
 * repairing misnested formatting takes quadratic time. `linksMax` ends the list, not the scan. With `read`, each
 * character of the document is an octet.
 */
export function scanHtml(html: string, linksMax: number, read?: ReadWritten): ScannedHtml {
  const found: ScannedHtml = { links: [], bodyEnd: null }
  const ignore = () => undefined
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(tag) {
        enterText(tokenizer, tag)
        const isLink = tag.tagName === 'a' || tag.tagName === 'area'
        const link = isLink && found.links.length < linksMax ? linkOf(html, tag, read) : null
        if (link) found.links.push(link)
      },
      onEndTag(tag) {
        if (foreign.has(tag.tagName)) tokenizer.inForeignNode = false
        if (tag.tagName === 'body') found.bodyEnd = tag.location!.startOffset
      },
      onEof() {
        if (tokenizer.state === TokenizerMode.DATA) found.bodyEnd ??= html.length
      },
      onComment: ignore,
      onDoctype: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
    },
  )
  tokenizer.write(html, true)
  return found
}

/** Elements whose content is text up to their end tag, so that it contains no links. */
const textModes = new Map([
  ...['title', 'textarea'].map((name) => [name, TokenizerMode.RCDATA] as const),
  ...['style', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [name, TokenizerMode.RAWTEXT] as const),
  ['script', TokenizerMode.SCRIPT_DATA] as const,
  ['plaintext', TokenizerMode.PLAINTEXT] as const,
])

/** Elements inside which CDATA sections and self-closing elements are allowed. */
export const foreign = new Set(['svg', 'math'])

export function enterText(tokenizer: Tokenizer, { tagName, selfClosing }: Token.TagToken): void {
  const closesItself = selfClosing && (tokenizer.inForeignNode || foreign.has(tagName))
  if (closesItself) return
  if (foreign.has(tagName)) tokenizer.inForeignNode = true
  tokenizer.state = textModes.get(tagName) ?? tokenizer.state
}

function linkOf(html: string, tag: Token.TagToken, read?: ReadWritten): ScannedLink | null {
  const place = tag.location?.attrs?.href
  if (!place) return null
  const written = html.slice(place.startOffset, place.endOffset)
  const opening = /^href[\t\n\f\r ]*=[\t\n\f\r ]*/i.exec(written)
  if (!opening) return null
  const start = place.startOffset + opening[0].length
  const isQuoted = html[start] === '"' || html[start] === "'"
  const attributes = new Map(tag.attrs.map(({ name, value }) => [name, value]))
  const [from, end] = isQuoted ? [start + 1, place.endOffset - 1] : [start, place.endOffset]
  const href = read && beyondAscii.test(written) ? readHref(html.slice(from, end), read) : attributes.get('href')!
  return href === null ? null : { start: from, end, href, attributes }
}

const beyondAscii = /[\u0080-\uffff]/

/** Reads a value as written, and then decodes its character references. */
function readHref(written: string, read: ReadWritten): string | null {
  const text = read(written)
  return text === null ? null : (scanHtml(`<a href="${text.replaceAll('"', '&quot;')}">`, 1).links[0]?.href ?? null)
}
