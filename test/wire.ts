import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { TestApp } from './app.ts'

/** Opens the app's HTTP port on loopback and returns its number. It is closed with the app. */
export async function listen({ server }: TestApp): Promise<number> {
  await server.listen({ port: 0, host: '127.0.0.1' })
  return (server.server.address() as AddressInfo).port
}

/** Writes bytes to the port, half-closes if `halfClose` is set, and returns everything that arrives until the end. */
export async function speak(port: number, bytes: string | Buffer, { halfClose = false } = {}): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  // The server may close while we still write.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  if (halfClose) socket.end(bytes)
  else socket.write(bytes)
  await Promise.race([once(socket, 'end'), once(socket, 'close')])
  socket.destroy()
  return Buffer.concat(received).toString('latin1')
}
