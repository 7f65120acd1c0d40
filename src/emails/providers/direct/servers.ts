import { createServer, type Server, type ServerOptions } from './server.ts'

const serversMax = 5000

type Servers = { at(address: string): Server; close(): Promise<void> }

/** Keeps the receiving addresses that this process used lately. Past `serversMax`, unused ones are removed. */
export function createServers(options: Omit<ServerOptions, 'address'>): Servers {
  /** Servers by address, in the order of last use, oldest first. */
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
