/** Where a browser is led after a sign-in that names no page. */
const firstPage = '/app'

/** Returns a path of the dashboard from the parameter `next`. Anything that could lead elsewhere is its first page. */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !/^\/app(?=[/?#]|$)[^\s\\]*$/.test(next)) return firstPage
  // The parser resolves `..`, also when it is percent-encoded.
  const url = URL.parse(next, 'http://posthorn.invalid')
  if (url?.host !== 'posthorn.invalid' || !/^\/app(\/|$)/.test(url.pathname)) return firstPage
  return `${url.pathname}${url.search}${url.hash}`
}
