import { createTally } from '../../platform/limits/tally.ts'
import { networkOf } from '../../platform/network/network.ts'
import type { Wire } from './wire.ts'

/** The greatest numbers of connections. Tests change them. */
export type ConnectionLimits = {
  all: number
  /** Connections that are not logged in. The others are reserved for clients that are. */
  anonymous: number
  /** Connections of one network, where applications may hold one for each worker. */
  ofNetwork: number
  /** As connections become scarce, the limit of a network decreases to this. */
  ofNetworkMin: number
}

const usual: ConnectionLimits = { all: 2000, anonymous: 1500, ofNetwork: 250, ofNetworkMin: 20 }
/** A network may have at most this part of the free connections, so that no network takes the last ones. */
const partOfFree = 1 / 7

export type Connections = {
  isClosing(): boolean
  /**
   * Adds a connection. False if there are too many, of one network or in total. If too many are not logged in, cuts the
   * oldest of them: clients log in quickly, so a flood displaces only its own connections.
   */
  admit(wire: Wire): boolean
  /** Records a login. The connection is no longer cut to admit others. */
  noteLogin(wire: Wire): void
  leave(wire: Wire): void
  /** Ends the connections that wait for a command, waits up to `graceMs` for messages under way, and cuts the rest. */
  close(graceMs: number): Promise<void>
}

export function createConnections(limits: ConnectionLimits = usual): Connections {
  const networks = new Map<Wire, string>()
  const counts = createTally()
  /** Connections that are not logged in, oldest first. */
  const anonymous = new Set<Wire>()
  let closing = false
  let finished = () => {}

  function leave(wire: Wire) {
    const network = networks.get(wire)
    if (network === undefined) return
    networks.delete(wire)
    anonymous.delete(wire)
    counts.add(network, -1)
    if (networks.size === 0) finished()
  }

  function cutOldest() {
    const [oldest] = anonymous
    if (!oldest) return
    leave(oldest)
    oldest.destroy()
  }

  return {
    isClosing: () => closing,
    admit(wire) {
      const network = networkOf(wire.address)
      const share = Math.floor((limits.all - networks.size) * partOfFree)
      const most = Math.max(limits.ofNetworkMin, Math.min(limits.ofNetwork, share))
      if (counts.of(network) >= most) return false
      if (networks.size >= limits.all || anonymous.size >= limits.anonymous) cutOldest()
      if (networks.size >= limits.all) return false
      networks.set(wire, network)
      anonymous.add(wire)
      counts.add(network, 1)
      return true
    },
    noteLogin: (wire) => void anonymous.delete(wire),
    leave,
    async close(graceMs) {
      closing = true
      if (networks.size === 0) return
      const empty = new Promise<void>((resolve) => {
        finished = resolve
        setTimeout(resolve, graceMs).unref()
      })
      for (const wire of networks.keys()) wire.nudge()
      await empty
      for (const wire of networks.keys()) wire.destroy()
    },
  }
}
