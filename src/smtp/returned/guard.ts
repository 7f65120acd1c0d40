import type { SMTPServer, SMTPServerSession } from 'smtp-server'
import { networkOf } from '../../platform/network.ts'
import { Refusal } from './refusal.ts'

/** One server seldom has more than a few open; the rest of the places stays for others. */
const perNetworkMax = 10

export type Guard = {
  /** Throws where the address has too many connections open. */
  admit(session: SMTPServerSession): void
  forget(session: SMTPServerSession): void
}

/** Bounds what one address may hold open, and for how long. */
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
