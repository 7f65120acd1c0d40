import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'

/** A proxy in front of a database whose connections can be cut, as in a restart or a failover. */
export type DatabaseProxy = {
  through(database: pg.ClientConfig): Promise<pg.ClientConfig>
  /** Ends every connection and refuses new ones until `mend` is called. */
  cut(): void
  mend(): void
  /** Lets nothing through the open connections from now on, and leaves them open, as a firewall that forgot them. */
  freeze(): void
  /** Freezes once a client has sent a statement that contains these words. Resolves then. */
  freezeAt(statement: string): Promise<void>
  /** Ends the connection of the next commit after the database has made it, and before its answer arrives. */
  loseNextCommit(): void
  /** The number of connections that were refused while it was cut. */
  refused(): number
  close(): void
}

export function databaseProxy(): DatabaseProxy {
  const sockets = new Set<Socket>()
  let isCut = false
  let losesCommit = false
  let refused = 0
  let awaited: { statement: string; reached(): void } | null = null
  let target: { path: string } | { host: string; port: number }
  const server = createServer((near) => {
    if (isCut) {
      refused++
      return near.destroy()
    }
    const far = connect(target)
    far.on('data', (answer: Buffer) => {
      if (!losesCommit || !answer.includes('COMMIT')) return
      losesCommit = false
      near.destroy()
    })
    near.pipe(far).pipe(near)
    near.on('data', (sent: Buffer) => {
      if (!awaited || !sent.includes(awaited.statement)) return
      freeze()
      awaited.reached()
      awaited = null
    })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket) && other.destroy())
    }
  })
  const freeze = () => {
    for (const socket of sockets) socket.unpipe().resume()
  }
  return {
    async through(database) {
      const { host, port, user, password, database: name } = new pg.Client(database)
      target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return {
        host: '127.0.0.1',
        port: (server.address() as AddressInfo).port,
        user,
        password: password ?? undefined,
        database: name,
      }
    },
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      isCut = false
    },
    freeze,
    freezeAt(statement) {
      const { promise, resolve } = Promise.withResolvers<void>()
      awaited = { statement, reached: resolve }
      return promise
    },
    loseNextCommit() {
      losesCommit = true
    },
    refused: () => refused,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
