import ipaddr from 'ipaddr.js'
import type { Parser } from '../platform/environment/parsers.ts'

export type OauthProvider = { issuer: string; clientId: string; clientSecret: string }
type OauthProviders = Readonly<Record<string, OauthProvider>>

/** Parses `OAUTH_PROVIDERS`: OpenID Connect issuers by the name that clients use. */
export const oauthProviders: Parser<OauthProviders> = {
  must: 'JSON such as {"google":{"issuer":"https://…","clientId":"…","clientSecret":"…"}} (http:// on loopback only)',
  secret: true,
  parse(value) {
    try {
      const providers: unknown = JSON.parse(value)
      return isProviders(providers) ? providers : undefined
    } catch {
      return undefined
    }
  },
}

function isProviders(value: unknown): value is OauthProviders {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every(isProvider)
}

function isProvider(value: Partial<OauthProvider> | null): boolean {
  const texts = [value?.issuer, value?.clientId, value?.clientSecret]
  return texts.every((text) => typeof text === 'string' && text !== '') && isIssuer(value?.issuer ?? '')
}

/** Requires https, because client secrets and tokens are sent to the issuer. Plain http is allowed on loopback. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return url.protocol === 'https:' || isLoopbackHttp(url)
}

export function isLoopbackHttp(url: URL): boolean {
  if (url.protocol !== 'http:') return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.parse(host).range() === 'loopback')
}
