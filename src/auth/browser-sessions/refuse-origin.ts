import type { App } from '../../context.ts'
import { forbidden } from '../../platform/errors.ts'

/** The parts of a request that say where it comes from. */
export type Sent = { host: string | undefined; headers: { origin?: string | undefined } }

/**
 * Throws `forbidden` unless the `Origin` of a request is exactly ours: `PUBLIC_URL`, or the request's host with its
 * scheme. Browsers send it with each request that changes something, and no other page can choose it. `Sec-Fetch-Site`
 * would not do: browsers leave it out over plain http.
 */
export function refuseForeignOrigin(app: App, { host, headers: { origin } }: Sent): void {
  const { origin: ours, protocol } = new URL(app.publicUrl())
  if (origin !== undefined && (origin === ours || origin === originOf(protocol, host))) return
  const given = origin === undefined ? 'it was missing' : `it was ${JSON.stringify(origin.slice(0, 100))}`
  throw forbidden(
    `A browser session changes things only with the header Origin: ${ours}; ${given}. Open ${ours} instead, or set PUBLIC_URL to the address that people type.`,
  )
}

/** The origin of a host, as browsers write it: in lower case, without the usual port. */
function originOf(protocol: string, host: string | undefined): string | null {
  const url = `${protocol}//${host}`
  return host && URL.canParse(url) ? new URL(url).origin : null
}
