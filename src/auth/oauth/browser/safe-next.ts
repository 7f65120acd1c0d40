/** Where a browser is led after a sign-in that names no page. */
const firstPage = '/app'

/**
 * Characters of the path as it is sent. Browsers drop a cookie of more than 4 kB, and the cookie of a sign-in holds it.
 */
const nextMax = 1000

/** Returns a path of the dashboard from the parameter `next`. Anything that could lead elsewhere is its first page. */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !/^\/app(?=[/?#]|$)[^\s\\]*$/.test(next)) return firstPage
  // The parser resolves `..`, also when it is percent-encoded.
  const url = URL.parse(next, 'http://posthorn.invalid')
  if (url?.host !== 'posthorn.invalid' || !/^\/app(\/|$)/.test(url.pathname)) return firstPage
  const path = `${url.pathname}${url.search}${url.hash}`
  return path.length > nextMax ? firstPage : path
}
