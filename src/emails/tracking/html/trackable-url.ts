/**
 * The address a link leads to, if it is a web page's, as a browser would ask for it: in ASCII, and so fit for a
 * `Location`. Null for everything else: other schemes, relative links, anchors, and what a template left unfilled.
 */
export function trackableUrl(href: string): string | null {
  const url = leftover.test(href) ? null : URL.parse(href)
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href : null
}

/** A placeholder that a later system fills in, or that was left unfilled. */
const leftover = /\{\{|\}\}|<%|%>|\*\||\|\*/
