/** Returns the token that a link of a mail or an invitation holds behind `#`. */
export function tokenOfLink(url: string): string {
  const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token')
  if (token === null) throw new Error(`no token behind # in ${url}`)
  return token
}
