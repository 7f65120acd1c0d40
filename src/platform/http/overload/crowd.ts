import type { Server } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { createTally } from '../../limits/tally.ts'
import { networkOf } from '../../network/network.ts'

/** The connections of one network. An application has one for each worker; an office has several for each person. */
export const connectionsOfNetworkUsual = 500

/**
 * Closes new connections of a network that has `connectionsMax` open, since each holds a descriptor and memory. Trusted
 * proxies are not counted, because they forward the requests of all clients.
 */
export function limitConnections(
  server: Server,
  { trustProxy, connectionsMax }: { trustProxy: readonly string[]; connectionsMax: number },
): void {
  const isTrusted = matcherOf(trustProxy)
  const open = createTally()
  server.on('connection', (socket) => {
    const address = socket.remoteAddress
    if (address === undefined || isTrusted(address)) return
    const network = networkOf(address)
    if (open.of(network) >= connectionsMax) return refuse(socket, connectionsMax)
    open.add(network, 1)
    socket.once('close', () => open.add(network, -1))
  })
}

function matcherOf(cidrs: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [network = '', prefix] = cidr.split('/')
    list.addSubnet(network, Number(prefix), isIPv6(network) ? 'ipv6' : 'ipv4')
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Answers with 429 before a request is read. */
function refuse(socket: Socket, connectionsMax: number): void {
  const message = `More than ${connectionsMax} connections from your network. Close some, or use them for several requests.`
  const body = JSON.stringify({ status_code: 429, name: 'rate_limit_exceeded', message })
  const head = [
    'HTTP/1.1 429 Too Many Requests',
    'Retry-After: 1',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.on('error', () => undefined)
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}
