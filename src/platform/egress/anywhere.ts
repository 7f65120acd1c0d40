import type { Resolve } from './connect.ts'
import { createEgress, type Egress } from './egress.ts'

/**
 * Sends requests to hosts that the operator named, also at private addresses. Further requests wait for a connection.
 */
export function egressAnywhere(resolve?: Resolve): Egress {
  return createEgress({ allow: ['0.0.0.0/0', '::/0'], connectionsPerOriginMax: 64, ...(resolve && { resolve }) })
}
