import type { App } from '../../context.ts'
import { isReservedName, trackingName } from '../../domains/name.ts'
import type { SendingDomain } from '../../domains/queries.ts'
import type { Outbound } from '../messages/email.ts'
import { fieldValue, readFields } from '../mime/source/fields.ts'
import { escapeAttribute, rewriteLinks, trackableUrl } from './html/rewrite-links.ts'
import type { ReadWritten, ScannedLink } from './html/scan-html.ts'
import { clickPath, openPath } from './paths.ts'
import { trackingToken } from './token.ts'

/**
 * Rewriting this much blocks the event loop for about 30 ms; mail clients show a fifth of it. Longer HTML is not
 * tracked.
 */
const htmlLengthMax = 500_000
/** Some mail clients and gateways cut longer addresses, so such a link stays unchanged. */
const linkLengthMax = 2000

type TrackedEmail = Pick<Outbound, 'teamId' | 'id' | 'domain' | 'headers' | 'source' | 'system' | 'untracked'>

/**
 * Tells whether an email is tracked if its HTML is short enough. System mail and tests of broadcasts are never tracked.
 */
export function isTracked({ domain, system, untracked }: TrackedEmail): boolean {
  return !system && !untracked && (domain.clickTracking || domain.openTracking)
}

/**
 * Returns an email's HTML for sending: rewrites the links if its domain tracks clicks, and adds an invisible image if
 * it tracks opens. The same email gives the same HTML, so that its repeats are the same message.
 */
export function trackHtml(app: App, email: TrackedEmail, html: string): string {
  return htmlTracker(app, email)(html)
}

/**
 * Returns a function that does so for each HTML text of a message. One of them gets the image, and the limit of their
 * length holds for all together. `read` is set if the characters of a text are octets; what is inserted is ASCII.
 */
export function htmlTracker(app: App, email: TrackedEmail): (html: string, read?: ReadWritten) => string {
  if (!isTracked(email)) return (html) => html
  const { clickTracking, openTracking } = email.domain
  const base = trackingBaseUrl(app, email.domain)
  const replace = clickTracking ? clickLinks(app, email, base) : () => null
  let pixel = openTracking ? pixelTag(app, email, base) : null
  let length = 0
  return (html, read) => {
    length += html.length
    if (length > htmlLengthMax) return html
    const tracked = rewriteLinks(html, { replace, append: pixel, ...(read && { read }) })
    if (pixel !== null && tracked.includes(pixel)) pixel = null
    return tracked
  }
}

function pixelTag(app: App, email: TrackedEmail, base: string): string {
  const token = tokenOf(app, email, null)
  return `<img src="${escapeAttribute(`${base}${openPath}${token}`)}" width="1" height="1" alt="" style="border:0">`
}

function clickLinks(app: App, email: TrackedEmail, base: string): (link: ScannedLink) => string | null {
  const isLeftAlone = leftAlone([base, app.publicUrl()], unsubscribeUrls(email))
  return ({ href, attributes }) => {
    // Skips long links early, because a tracked address is longer than the original.
    const url = href.length <= linkLengthMax ? trackableUrl(href) : null
    if (url === null || attributes.get('data-posthorn-track') === 'off' || isLeftAlone(url)) return null
    const token = tokenOf(app, email, url)
    const link = `${base}${clickPath}${token}`
    return link.length <= linkLengthMax ? link : null
  }
}

function tokenOf(app: App, { teamId, domain, id }: TrackedEmail, url: string | null): string {
  return trackingToken(app.keyring, { teamId, domainId: domain.id, emailId: id, url })
}

/**
 * Tells whether a link must stay unchanged: one that is tracked already, or one to unsubscribe, which must work without
 * us.
 */
function leftAlone(bases: string[], unsubscribe: Set<string>): (url: string) => boolean {
  const ours = bases.flatMap((base) => [`${base}${clickPath}`, `${base}${openPath}`])
  return (url) => /unsubscribe/i.test(url) || unsubscribe.has(url) || ours.some((path) => url.startsWith(path))
}

type TrackedDomain = Pick<SendingDomain, 'name' | 'isTrackingVerified'>

/**
 * Returns the base of a domain's tracked links: this installation, or the domain's tracking subdomain if it is verified
 * and the operator serves it. Over https it needs a certificate, which only the domain's owner can get.
 */
function trackingBaseUrl(app: App, { name, isTrackingVerified }: TrackedDomain): string {
  const here = app.publicUrl()
  // Reserved names count as verified in trials, but do not resolve.
  if (app.config.trackingSubdomains === 'off' || !isTrackingVerified || isReservedName(name)) return here
  const url = new URL(here)
  url.hostname = trackingName(name)
  return url.href.replace(/\/$/, '')
}

type Headed = Pick<Outbound, 'headers' | 'source'>

/** Returns the web addresses of an email's `List-Unsubscribe`, which are in angle brackets (RFC 2369). */
function unsubscribeUrls(email: Headed): Set<string> {
  const addresses = [...(listUnsubscribe(email) ?? '').matchAll(/<([^<>]*)>/g)].map(([, address]) => address!)
  return new Set(addresses.flatMap((address) => trackableUrl(address) ?? []))
}

function listUnsubscribe({ headers, source }: Headed): string | null {
  if (source) return fieldValue(readFields(source, 0, source.length).fields, 'list-unsubscribe')
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'list-unsubscribe')?.[1] ?? null
}
