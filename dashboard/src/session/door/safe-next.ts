/** Returns the parameters of an address that leads on to `next`, for a link from one page of the door to another. */
export function withNext(next: string | undefined): { next?: string } {
  const path = safeNext(next)
  return path === '/' ? {} : { next: path }
}

/** Returns a path under `/app` from the parameter `next`, without `/app`. Anything that could lead elsewhere is `/`. */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])[^\s\\]*$/.test(next)) return '/'
  const url = new URL(next, 'http://posthorn.invalid')
  if (url.host !== 'posthorn.invalid') return '/'
  const path = `${url.pathname}${url.search}${url.hash}`.replace(/^\/app(?=\/|$)/, '') || '/'
  // Two slashes begin the name of a host: `/app//evil.test`, and `/..//evil.test` once `..` is resolved.
  return path.startsWith('//') ? '/' : path
}
