/** Why a hit is attributed to a machine. */
export type BotReason =
  | 'prefetch'
  | 'no_user_agent'
  | 'program'
  | 'scanner'
  | 'link_preview'
  | 'privacy_proxy'
  | 'too_soon'
  | 'many_links'

type HitHeaders = Record<string, string | string[] | undefined>

/**
 * Returns why a request's headers show that a machine made it; null if they do not. Image proxies that fetch when a
 * person opens the mail, such as Gmail's and Yahoo's, do not count as machines.
 */
export function botReasonOf(headers: HitHeaders): BotReason | null {
  if (prefetchHeaders.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))) return 'prefetch'
  const userAgent = (headers['user-agent'] ?? '').toString().trim()
  if (userAgent === '') return 'no_user_agent'
  // Apple's mail privacy fetches every image, even of unread mail, with exactly this user agent.
  if (userAgent === 'Mozilla/5.0') return 'privacy_proxy'
  return agents.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
}

const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

const agents: [RegExp, BotReason][] = [
  [
    /barracuda|proofpoint|mimecast|messagelabs|symantec|fireeye|trend ?micro|cloudmark|sophos|forcepoint|bitdefender|virustotal|urlscan|safelinks|ironport|spamassassin|paloalto/i,
    'scanner',
  ],
  [/headlesschrome|phantomjs|puppeteer|playwright|selenium/i, 'scanner'],
  [
    /facebookexternalhit|whatsapp\/|skypeuripreview|bingpreview|microsoftpreview|embedly|iframely|preview/i,
    'link_preview',
  ],
  // Excludes Cubot, a make of telephones.
  [/(?<!\bcu)bots?\b|crawler|spider|slurp/i, 'link_preview'],
  [
    /^(curl|wget|python|aiohttp|httpx|go-http-client|java|apache-httpclient|libwww-perl|lwp|ruby|faraday|php|guzzle|node|undici|axios|got|deno|bun|postmanruntime|insomnia|httpie|scrapy|winhttp|powershell)\b/i,
    'program',
  ],
]

/** A link followed sooner than this after the hand-over was followed in transit, before the reader had the mail. */
const tooSoonMs = 3000
/** If one address follows more than two links of an email within this time, the further clicks are a machine's. */
export const manyLinksMs = 2000
const linksOfPerson = 2

export type Click = { link: string; ipAddress: string; at: Date }

/**
 * Judges a click by its time. `sentAt` is null if the hand-over is not recorded yet. `others` are clicks of the same
 * email.
 */
export function clickReasonOf(click: Click, sentAt: Date | null, others: readonly Click[]): BotReason | null {
  if (sentAt === null || click.at.getTime() - sentAt.getTime() < tooSoonMs) return 'too_soon'
  const near = others.filter(
    (other) => other.ipAddress === click.ipAddress && Math.abs(click.at.getTime() - other.at.getTime()) < manyLinksMs,
  )
  return new Set([click.link, ...near.map(({ link }) => link)]).size > linksOfPerson ? 'many_links' : null
}
