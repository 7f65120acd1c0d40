import { urlMaxBytes } from '../../platform/egress/target.ts'
import { hasPlaceholder } from '../placeholders/fill.ts'

const rule = 'must be an absolute http:// or https:// URL'

const tooLong = `must be at most ${urlMaxBytes} bytes long. Send long values in the body`

/** Checks the form of a URL. Returns null if it is valid. The address is checked when the URL is called. */
export function urlFault(text: string): string | null {
  if (text.length > urlMaxBytes) return tooLong
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return rule
  const { href, username, password } = new URL(text)
  if (href.length > urlMaxBytes) return tooLong
  return username === '' && password === '' ? null : 'must not hold a user name or password'
}

/** Checks a URL with placeholders. One that begins with a placeholder passes. */
export function urlConfigFault(text: string): string | null {
  if (!hasPlaceholder(text)) return urlFault(text)
  if (text.length > urlMaxBytes) return tooLong
  return /^(https?:\/\/|\{\{)/i.test(text) ? null : rule
}

/** True if scheme, host and port are written out and end before the first placeholder. */
export function hasLiteralAuthority(text: string): boolean {
  return /^https?:\/\/[^\s/\\?#{}@]+([/?#]|$)/i.test(text)
}

/** Names a URL whose path is a secret. */
export function hostOf(url: string): string {
  return new URL(url).host
}
