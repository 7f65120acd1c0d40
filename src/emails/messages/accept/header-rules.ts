import { isHeaderName, isOwnHeader } from '../../mime/content.ts'
import { structureFault } from '../../mime/headers.ts'
import { isRelayOrder } from '../../mime/relay-orders.ts'

/** Says why an additional header of a request cannot be sent, or null. */
export function headerFault(name: string, value: string): string | null {
  if (!isHeaderName(name)) return 'is not a header name: printable ASCII without colon and blank, at most 76 characters'
  if (isOwnHeader(name)) return 'is set by the platform and cannot be given'
  if (isRelayOrder(name)) return 'gives orders to mail services and cannot be given: leave it out'
  if (/\p{Cc}/u.test(value.replaceAll('\t', ' '))) return 'must not hold a line break or another control character'
  return structureFault(name, value)
}
