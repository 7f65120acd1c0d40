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
