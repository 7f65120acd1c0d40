import type { Resolve } from './connect.ts'
import { createEgress, type Egress } from './egress.ts'

/** To hosts that the operator named, and nobody else: any address, private ones too. Further requests wait for a place. */
export function egressAnywhere(resolve?: Resolve): Egress {
  return createEgress({ allow: ['0.0.0.0/0', '::/0'], connectionsPerOriginMax: 64, ...(resolve && { resolve }) })
}
