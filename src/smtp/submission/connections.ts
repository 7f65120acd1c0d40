import { createTally } from '../../platform/limits/tally.ts'
import { networkOf } from '../../platform/network.ts'
import type { Wire } from './wire.ts'

/** How many connections there may be; other than the usual in tests. */
export type ConnectionLimits = {
  all: number
  /** Those that are not logged in: the rest is kept for those that are. */
  anonymous: number
  /** Applications behind one address hold a connection for each worker. */
  ofNetwork: number
  /** As the places fill, a network may hold fewer, down to this. */
  ofNetworkMin: number
}

const usual: ConnectionLimits = { all: 2000, anonymous: 1500, ofNetwork: 250, ofNetworkMin: 20 }
/** A network gets this part of what is free, so that one after the other none takes the last places. */
const partOfFree = 1 / 7

/** Those who are being spoken with. */
export type Connections = {
  isClosing(): boolean
  /**
   * False where there are too many, of one network or of all. Where too many are not logged in, the one that has been so
   * for longest is cut: a client logs in within a moment, and a flood displaces only itself.
   */
  admit(wire: Wire): boolean
  /** It has logged in, and is not cut any more. */
  noteLogin(wire: Wire): void
  leave(wire: Wire): void
  /** Wakes who waits for a command, gives messages under way `graceMs`, and then cuts the rest. */
  close(graceMs: number): Promise<void>
}

export function createConnections(limits: ConnectionLimits = usual): Connections {
  const networks = new Map<Wire, string>()
  const counts = createTally()
  /** The oldest first. */
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
