import type { AddressInfo } from 'node:net'

/**
 * Where this installation is found, without a slash at its end: as configured, else this machine at the port that was
 * opened. The port is remembered, since mail still goes out while a server that stops has none any more.
 */
export function publicUrlOf(
  config: { publicUrl: string | null; port: number },
  openedAt: () => AddressInfo | string | null,
): () => string {
  let opened: number | null = null
  return () => {
    if (config.publicUrl !== null) return config.publicUrl
    const address = openedAt()
    if (typeof address === 'object') opened ??= address?.port ?? null
    return `http://localhost:${opened ?? config.port}`
  }
}
