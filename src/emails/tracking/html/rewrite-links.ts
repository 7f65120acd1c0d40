import { type ScannedLink, scanHtml } from './scan-html.ts'

export type LinkChange = {
  /** The address that takes a link's place; null leaves it as it is. */
  replace(link: ScannedLink): string | null
  /** An element put at the end of the body. */
  append: string | null
}

/** Past this many, the links of one email stay as they are. */
export const linksMax = 2000

/** Changes links and appends to the body of a document; every other character of it stays. */
export function rewriteLinks(html: string, { replace, append }: LinkChange): string {
  const { links, bodyEnd } = scanHtml(html, linksMax)
  const edits = links.flatMap((link) => {
    const url = replace(link)
    return url === null ? [] : [{ start: link.start, end: link.end, text: escapeAttribute(url) }]
  })
  if (append !== null && bodyEnd !== null) edits.push({ start: bodyEnd, end: bodyEnd, text: append })
  return splice(html, edits)
}

function splice(html: string, edits: { start: number; end: number; text: string }[]): string {
  // Some documents go on after the end of their body.
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

/** Good within double quotes, single quotes and none: a URL holds neither blanks nor angle brackets. */
export function escapeAttribute(url: string): string {
  return url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;').replaceAll('`', '&#96;')
}
