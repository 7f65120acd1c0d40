import type { Outbound } from '../messages/outbound/outbound.ts'
import { fieldValue, readFields } from '../mime/source/fields.ts'
import { trackableUrl } from './html/trackable-url.ts'

type Headed = Pick<Outbound, 'headers' | 'source'>

/** Returns the web addresses of an email's `List-Unsubscribe`, which are in angle brackets (RFC 2369). */
export function unsubscribeUrls(email: Headed): Set<string> {
  const addresses = [...(listUnsubscribe(email) ?? '').matchAll(/<([^<>]*)>/g)].map(([, address]) => address!)
  return new Set(addresses.flatMap((address) => trackableUrl(address) ?? []))
}

function listUnsubscribe({ headers, source }: Headed): string | null {
  if (source) return fieldValue(readFields(source, 0, source.length).fields, 'list-unsubscribe')
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'list-unsubscribe')?.[1] ?? null
}
