import type { SMTPServer, SMTPServerSession } from 'smtp-server'
import { networkOf } from '../../platform/network/network.ts'
import { Refusal } from './refusal.ts'

/** A server rarely has more than a few connections open. Leaves the other connections to other networks. */
const perNetworkMax = 10

type Guard = {
  /** Throws `Refusal` if the address's network has too many connections open. */
  admit(session: SMTPServerSession): void
  forget(session: SMTPServerSession): void
}

/** Bounds the number of connections of one network, and the lifetime of each connection. */
export function guardConnections(server: () => SMTPServer, lifetimeMs: number): Guard {
  const open = new Map<string, { network: string; timer: NodeJS.Timeout }>()
  const end = (id: string) => {
    for (const connection of server().connections) {
      if (connection.id === id) connection.send(421, '4.4.2 This has taken too long.')
    }
  }
  return {
    admit({ id, remoteAddress }) {
      const network = networkOf(remoteAddress)
      const already = [...open.values()].filter((other) => other.network === network).length
      if (already >= perNetworkMax)
        throw new Refusal(421, '4.7.0 Too many connections from your address. Try again later.')
      open.set(id, { network, timer: setTimeout(end, lifetimeMs, id).unref() })
    },
    forget({ id }) {
      clearTimeout(open.get(id)?.timer)
      open.delete(id)
    },
  }
}
