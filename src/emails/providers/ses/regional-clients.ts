import type { SESv2Client } from '@aws-sdk/client-sesv2'
import { type CallSettings, callSettings } from '../../../platform/aws/call-settings.ts'
import { createLru } from '../../../platform/lru.ts'

type RegionalClients = { of(region: string): Promise<SESv2Client>; close(): void }

/**
 * Amazon has about thirty regions. Past this, the least recently used client is dropped; its idle connections time out.
 */
const regionsMax = 32

/** Makes one client for each region. The AWS library is loaded with the first one, because it is large. */
export function regionalClients(given: CallSettings): RegionalClients {
  const clients = createLru<SESv2Client>({ countMax: regionsMax })
  const settings = callSettings(given)
  return {
    async of(region) {
      const { SESv2Client } = await import('@aws-sdk/client-sesv2')
      const client = clients.get(region) ?? new SESv2Client({ ...settings, region })
      clients.set(region, client)
      return client
    },
    close() {
      for (const client of clients.values()) client.destroy()
    },
  }
}
