import { safeCss } from './safe-css.ts'

export type SafeAddresses = {
  /** True to keep the addresses of remote images. */
  remote: boolean
  /** Returns a part of the message as a `data:` URL; null if there is none. */
  inlineImage(contentId: string): string | null
  /** Returns the target of a tracked link, and null for the image that tracks openings; other addresses unchanged. */
  untracked(url: string): string | null
}

/** Returns the value of an attribute as a preview may have it; null to leave the attribute out. */
export function safeAttribute(element: string, name: string, value: string, addresses: SafeAddresses): string | null {
  if (name === 'style') return safeCss(value, addresses)
  if (name === 'href') return element === 'a' || element === 'area' ? safeLink(value, addresses) : null
  if (name === 'src') return element === 'img' ? safeImage(value, addresses) : null
  if (name === 'background') return safeImage(value, addresses)
  if (name === 'srcset') return addresses.remote && element === 'img' && remoteOnly.test(value) ? value : null
  if (name === 'usemap') return value.startsWith('#') ? value : null
  return value
}

const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:', 'sms:'])

function safeLink(value: string, { untracked }: SafeAddresses): string | null {
  const href = value.trim()
  if (/^#[^\s]*$/.test(href)) return href
  const url = URL.parse(href)
  return url && schemes.has(url.protocol) ? untracked(url.href) : null
}

function safeImage(value: string, { remote, inlineImage, untracked }: SafeAddresses): string | null {
  const src = value.trim()
  if (/^cid:/i.test(src)) return inlineImage(src.slice('cid:'.length))
  if (/^data:image\//i.test(src)) return src
  const url = remote ? URL.parse(src) : null
  return url && /^https?:$/.test(url.protocol) ? untracked(url.href) : null
}

/** Addresses of a `srcset` are not read one by one; other schemes in it load nothing anyway. */
const remoteOnly = /^\s*https?:[^<>"]*$/i
