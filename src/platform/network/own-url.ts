import type { AddressInfo } from 'node:net'

/**
 * Returns the URL at which this process answers HTTP, without a slash at its end, for requests to our API. It is the
 * public URL if this process serves no API.
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

/** Returns the loopback address for a process that listens on all addresses. */
function hostOf(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  if (address === '::') return '[::1]'
  return address.includes(':') ? `[${address}]` : address
}
