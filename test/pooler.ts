import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'

/** The start-up parameters that PgBouncer takes. It refuses others. */
const known = ['user', 'database', 'client_encoding', 'application_name']
const ready = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))])

/** `owed` counts the answers that are outstanding. */
type Backend = { stream: Socket; owed: number }
export type Pooler = { config: pg.ClientConfig; close(): void }

/**
 * Starts a pooler as PgBouncer is: it lends a backend to a connection for a transaction, or for as long as it lives.
 */
export async function startPooler(database: pg.ClientConfig, mode: 'transaction' | 'session'): Promise<Pooler> {
  const idle: Backend[] = []
  const all: Backend[] = []
  const lend = async () => idle.pop() ?? (await openBackend(database, all))
  const server = createServer((near) => {
    let backend: Promise<Backend> | null = null
    const release = (held: Backend) => {
      held.stream.removeAllListeners('data')
      backend = null
      idle.push(held)
    }
    const borrow = async () => {
      const held = await lend()
      onMessages(held.stream, (type, body, raw) => {
        near.write(raw)
        if (type !== 'Z') return
        held.owed--
        if (mode === 'transaction' && held.owed === 0 && body.toString() === 'I') release(held)
      })
      return held
    }
    const end = () => backend?.then((held) => held.stream.destroy())
    near.on('error', () => undefined).on('close', end)
    near.once('data', (startUp: Buffer) => {
      const parameters = startUp.subarray(8).toString().split('\0')
      const unknown = parameters.find((name, at) => at % 2 === 0 && name !== '' && !known.includes(name))
      if (unknown !== undefined) {
        return near.end(message('E', Buffer.from(`C08P01\0Munsupported startup parameter: ${unknown}\0\0`)))
      }
      near.write(ready)
      onMessages(near, async (type, _body, raw) => {
        if (type === 'X') return
        backend ??= borrow()
        const held = await backend
        if (type === 'Q' || type === 'S') held.owed++
        held.stream.write(raw)
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { user, password, database: name } = new pg.Client(database)
  const { port } = server.address() as AddressInfo
  return {
    config: { host: '127.0.0.1', port, user, password: password ?? undefined, database: name },
    close() {
      server.close()
      for (const { stream } of all) stream.destroy()
    },
  }
}

/** Opens a connection with the driver, which logs in, and takes its stream. */
async function openBackend(database: pg.ClientConfig, all: Backend[]): Promise<Backend> {
  const client = new pg.Client(database)
  client.on('error', () => undefined)
  await client.connect()
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.removeAllListeners('data')
  const backend = { stream, owed: 0 }
  all.push(backend)
  return backend
}

function onMessages(socket: Socket, take: (type: string, body: Buffer, raw: Buffer) => void): void {
  let rest = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1)
      const raw = rest.subarray(0, end)
      rest = rest.subarray(end)
      take(raw.toString('latin1', 0, 1), raw.subarray(5), raw)
    }
  })
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, type)
  head.writeUInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}
