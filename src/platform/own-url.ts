import type { AddressInfo } from 'node:net'

/**
 * Where this process itself is asked over HTTP, without a slash at its end: the port it opened, for what posts to our own
 * API; the installation's public address where this process serves no API.
 */
export function ownUrlOf(
  config: { roles: readonly string[] },
  openedAt: () => AddressInfo | string | null,
  publicUrl: () => string,
): () => string {
  return () => {
    const address = openedAt()
    if (!config.roles.includes('api') || address === null || typeof address === 'string') return publicUrl()
    return `http://${hostOf(address.address)}:${address.port}`
  }
}

/** One that listens everywhere listens on the loopback too. */
function hostOf(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  if (address === '::') return '[::1]'
  return address.includes(':') ? `[${address}]` : address
}
