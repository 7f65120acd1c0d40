import { urlMaxBytes } from '../../platform/egress/target.ts'
import { hasPlaceholder } from '../placeholders/fill.ts'

const rule = 'must be an absolute http:// or https:// URL'

const tooLong = `must be at most ${urlMaxBytes} bytes long. Send long values in the body`

/** Checks the form of a URL; null if it is right. Its address is checked when it is called. */
export function urlFault(text: string): string | null {
  if (text.length > urlMaxBytes) return tooLong
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return rule
  const { href, username, password } = new URL(text)
  if (href.length > urlMaxBytes) return tooLong
  return username === '' && password === '' ? null : 'must not hold a user name or password'
}

/** The same while placeholders stand in it: of one that begins with a placeholder nothing is known yet. */
export function urlConfigFault(text: string): string | null {
  if (!hasPlaceholder(text)) return urlFault(text)
  if (text.length > urlMaxBytes) return tooLong
  return /^(https?:\/\/|\{\{)/i.test(text) ? null : rule
}

/** Whether scheme, host and port stand in the text and end there, so that no placeholder can change them. */
export function hasLiteralAuthority(text: string): boolean {
  return /^https?:\/\/[^\s/\\?#{}@]+([/?#]|$)/i.test(text)
}

/** How a URL is named where its path is a secret. */
export function hostOf(url: string): string {
  return new URL(url).host
}
