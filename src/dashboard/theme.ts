import { readCookies } from '../auth/browser-sessions/cookie.ts'

export type Theme = 'light' | 'dark'

/**
 * Returns the theme that the person has chosen, null for the system's. The dashboard keeps the choice in a cookie, so
 * that the page has its colours before a script runs. Any other value counts as none.
 */
export function readTheme(cookies: string | undefined): Theme | null {
  const chosen = readCookies(cookies, 'posthorn_theme').at(-1)
  return chosen === 'light' || chosen === 'dark' ? chosen : null
}
