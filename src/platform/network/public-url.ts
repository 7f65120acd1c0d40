import type { AddressInfo } from 'node:net'

/**
 * Returns the URL of this installation, without a slash at its end: as configured, or else this machine at the opened
 * port. The port is remembered, since mail is still sent while the server stops.
 */
export function publicUrlOf(
  config: { publicUrl: string | null; port: number },
  openedAt: () => AddressInfo | string | null,
): () => string {
  let opened: number | null = null
  return () => {
    if (config.publicUrl !== null) return config.publicUrl
    if (opened === null) {
      const address = openedAt()
      if (typeof address === 'object') opened = address?.port ?? null
    }
    return `http://localhost:${opened ?? config.port}`
  }
}
