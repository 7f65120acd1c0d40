import { createServer, type Server, type ServerOptions } from './server.ts'

const serversMax = 5000

export type Servers = { at(address: string): Server; close(): Promise<void> }

/** The receiving addresses this process has talked to lately; those nobody uses make room for new ones. */
export function createServers(options: Omit<ServerOptions, 'address'>): Servers {
  /** In the order of last use, the oldest first. */
  const servers = new Map<string, Server>()

  function makeRoom() {
    for (const [address, server] of servers) {
      if (servers.size <= serversMax) return
      if (!server.isFree()) continue
      servers.delete(address)
      void server.close()
    }
  }

  return {
    at(address) {
      const server = servers.get(address) ?? createServer({ ...options, address })
      servers.delete(address)
      servers.set(address, server)
      if (servers.size > serversMax) makeRoom()
      return server
    },
    async close() {
      await Promise.all([...servers.values()].map((server) => server.close()))
    },
  }
}
