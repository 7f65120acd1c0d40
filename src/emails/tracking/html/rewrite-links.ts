import { type ReadWritten, type ScannedLink, scanHtml } from './scan-html.ts'

type LinkChange = {
  /** Returns the address that replaces a link; null to leave it unchanged. */
  replace(link: ScannedLink): string | null
  /** An element to add at the end of the body. */
  append: string | null
  /** Set if the characters of the document are octets of another encoding. */
  read?: ReadWritten
}

/** The number of links rewritten in one email; further links stay unchanged. */
export const linksMax = 2000

/** Changes the links of a document and appends to its body. All other characters stay. */
export function rewriteLinks(html: string, { replace, append, read }: LinkChange): string {
  const { links, bodyEnd } = scanHtml(html, linksMax, read)
  const edits = links.flatMap((link) => {
    const url = replace(link)
    return url === null ? [] : [{ start: link.start, end: link.end, text: escapeAttribute(url) }]
  })
  if (append !== null && bodyEnd !== null) edits.push({ start: bodyEnd, end: bodyEnd, text: append })
  return splice(html, edits)
}

function splice(html: string, edits: { start: number; end: number; text: string }[]): string {
  // Sorts, because a document may have links after the end of its body.
  edits.sort((one, other) => one.start - other.start)
  const pieces: string[] = []
  let at = 0
  for (const { start, end, text } of edits) {
    pieces.push(html.slice(at, start), text)
    at = end
  }
  pieces.push(html.slice(at))
  return pieces.join('')
}

/**
 * Escapes a URL for an attribute with double quotes, single quotes or none; it contains no blanks or angle brackets.
 */
export function escapeAttribute(url: string): string {
  return url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;').replaceAll('`', '&#96;')
}

/**
 * Returns the web address of a link as a browser requests it, in ASCII for a `Location` header. Null for other schemes,
 * relative links, anchors, and unfilled placeholders of a template.
 */
export function trackableUrl(href: string): string | null {
  const url = leftover.test(href) ? null : URL.parse(href)
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href : null
}

/** A placeholder that a later system fills in, or that remained unfilled. */
const leftover = /\{\{|\}\}|<%|%>|\*\||\|\*/
