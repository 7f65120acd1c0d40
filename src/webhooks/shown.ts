import type { Caller } from '../context.ts'
import { isLiveToTestKey } from '../platform/mode/caller.ts'
import type { Mode } from '../platform/mode/mode.ts'
import { hidePath } from '../platform/network/hide-path.ts'

/**
 * Returns the webhook as the caller may see it: without path and query of its URL, which often hold a secret, for
 * marketers and viewers, and for a test key if it is live.
 */
export function webhookShownTo<T extends { endpointUrl: string; mode?: Mode }>(caller: Caller, webhook: T): T {
  return { ...webhook, endpointUrl: endpointUrlShownTo(caller, webhook.endpointUrl, webhook) }
}

export function endpointUrlShownTo(caller: Caller, url: string, webhook: { mode?: Mode }): string {
  const { role } = caller
  if (role !== 'marketer' && role !== 'viewer' && !isLiveToTestKey(caller, webhook)) return url
  const { pathname, search } = new URL(url)
  return pathname === '/' && search === '' ? url : hidePath(url)
}

/** Names an endpoint where its URL would be kept for long. */
export function endpointHost(url: string): string {
  return new URL(url).host
}
