import type { SESv2Client, SESv2ClientConfig } from '@aws-sdk/client-sesv2'

export type ClientBounds = { connectionsMax: number; connectMs: number; idleMs: number }

export type RegionalClients = { of(region: string): Promise<SESv2Client>; close(): void }

/** Amazon has about thirty. Whichever was used longest ago is forgotten first; its connections close by themselves. */
const regionsMax = 32
/** Ours closes first: a request on a connection that Amazon closes that moment would be lost without an answer. */
const keepAliveMs = 4000

/** One client for each region, made when it is first wanted: the library is loaded by those who use it. */
export function regionalClients(
  endpoint: string | null,
  { connectionsMax, connectMs, idleMs }: ClientBounds,
): RegionalClients {
  const clients = new Map<string, SESv2Client>()
  const agent = { keepAlive: true, maxSockets: connectionsMax, timeout: keepAliveMs }
  const settings: SESv2ClientConfig = {
    // Whether a message is repeated is decided by who knows whether that may send it twice.
    maxAttempts: 1,
    requestHandler: { connectionTimeout: connectMs, socketTimeout: idleMs, httpsAgent: agent, httpAgent: agent },
    ...(endpoint !== null && { endpoint }),
  }
  return {
    async of(region) {
      const { SESv2Client } = await import('@aws-sdk/client-sesv2')
      const client = clients.get(region) ?? new SESv2Client({ ...settings, region })
      clients.delete(region)
      clients.set(region, client)
      if (clients.size > regionsMax) clients.delete(clients.keys().next().value!)
      return client
    },
    close() {
      for (const client of clients.values()) client.destroy()
      clients.clear()
    },
  }
}
