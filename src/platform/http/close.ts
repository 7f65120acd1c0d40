import type { FastifyInstance } from 'fastify'

/** Waits for requests in flight, and closes connections that become idle, which would stay open for a minute. */
export async function closeServer(server: FastifyInstance, graceMs: number): Promise<void> {
  const idle = setInterval(() => server.server.closeIdleConnections(), 50)
  const cut = setTimeout(() => server.server.closeAllConnections(), graceMs)
  await server.close()
  clearInterval(idle)
  clearTimeout(cut)
}
