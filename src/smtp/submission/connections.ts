import { networkOf } from '../../platform/network.ts'
import type { Wire } from './wire.ts'

const connectionsMax = 2000
/** Applications behind one address hold a connection for each worker. */
const connectionsOfNetworkMax = 250

/** Those who are being spoken with. */
export type Connections = {
  isClosing(): boolean
  /** False where there are too many, of one network or of all. */
  admit(wire: Wire): boolean
  leave(wire: Wire): void
  /** Wakes who waits for a command, gives messages under way `graceMs`, and then cuts the rest. */
  close(graceMs: number): Promise<void>
}

export function createConnections(): Connections {
  const networks = new Map<Wire, string>()
  let closing = false
  let finished = () => {}
  return {
    isClosing: () => closing,
    admit(wire) {
      const network = networkOf(wire.address)
      const others = [...networks.values()].filter((other) => other === network).length
      if (networks.size >= connectionsMax || others >= connectionsOfNetworkMax) return false
      networks.set(wire, network)
      return true
    },
    leave(wire) {
      networks.delete(wire)
      if (networks.size === 0) finished()
    },
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
