import { useEffect, useState } from 'react'

const keptAs = 'posthorn-link-token'

/**
 * Returns the token of a mailed link, and keeps it behind `#` in the address: a reload then works, and sends the token
 * to no server whose log could keep it. Links of earlier versions hold it in the query. Empty without one.
 */
export function useLinkToken(): string {
  const [token] = useState(() => tokenOf(location.search, location.hash) || (sessionStorage.getItem(keptAs) ?? ''))
  useEffect(() => {
    sessionStorage.removeItem(keptAs)
    if (token === '' || tokenOf('', location.hash) === token) return
    const hash = new URLSearchParams({ token })
    history.replaceState(history.state, '', `${location.pathname}#${hash}`)
  }, [token])
  // Another link that is opened in this tab changes only what is behind `#`, for which a browser loads nothing.
  useEffect(() => {
    const reload = () => location.reload()
    addEventListener('hashchange', reload)
    return () => removeEventListener('hashchange', reload)
  }, [])
  return token
}

/** Keeps a token in this tab until the person comes back from signing in, so that no address on the way holds it. */
export function keepLinkToken(token: string): void {
  sessionStorage.setItem(keptAs, token)
}

/** Reads `?token=…` or `#token=…`. */
export function tokenOf(search: string, hash: string): string {
  return new URLSearchParams(search).get('token') ?? new URLSearchParams(hash.slice(1)).get('token') ?? ''
}
