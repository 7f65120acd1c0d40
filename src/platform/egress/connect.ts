import dns from 'node:dns'
import type { LookupFunction, Socket } from 'node:net'
import { buildConnector } from 'undici'
import type { Connect } from './connection.ts'
import { type AllowList, mayReach } from './public-address.ts'
import { isLocalName, localAddresses } from './target.ts'

export type Resolved = { address: string; family: number }

/** Every address of a name; rejects where it has none. */
export type Resolve = (host: string) => Promise<Resolved[]>

/** A connection that may not be made, as opposed to one that fails. */
export class ConnectionRefused extends Error {}

export type ConnectOptions = { allow: AllowList; resolve?: Resolve; connectTimeoutMs: number; ca?: string }

/** `cut` ends the attempts under way, which the client itself would wait for. */
export type GuardedConnector = { connect: Connect; cut(): void }

/**
 * Makes the connections: a name is resolved once, every address it has is checked, and the connection goes to one of
 * these and no other, so a name that resolves differently the next moment gains nothing.
 */
export function guardedConnector(options: ConnectOptions): GuardedConnector {
  const { allow, resolve = resolveBySystem, connectTimeoutMs, ca } = options
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    lookup: guardedLookup(allow, resolve),
    allowH2: false,
    ...(ca !== undefined && { ca }),
  } as buildConnector.BuildOptions)
  const connecting = new Set<Socket>()
  return {
    connect(target, callback) {
      // The types leave out that it gives the socket.
      const begun = connect(target, (...result) => {
        connecting.delete(begun)
        const [error, socket] = result
        if (error || isAllowedPeer(socket, allow)) return callback(...result)
        socket.destroy()
        callback(new ConnectionRefused('the connection is not to a public address'), null)
      }) as unknown as Socket
      connecting.add(begun)
      return begun
    },
    cut() {
      for (const socket of connecting) socket.destroy(new Error('The process ends.'))
    },
  }
}

/** `net.connect` asks for all addresses and tries one after the other. */
function guardedLookup(allow: AllowList, resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    addressesOf(host, allow, resolve).then(
      (found) => {
        const first = found[0]!
        if (options.all) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, []),
    )
  }
}

/** Throws `ConnectionRefused` for a name with a single address that may not be reached: an honest one has none. */
async function addressesOf(host: string, allow: AllowList, resolve: Resolve): Promise<Resolved[]> {
  if (isLocalName(host))
    return localAddresses(allow).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const found = await resolve(host)
  if (found.length === 0) throw new Error(`${host} has no address`)
  const forbidden = found.find(({ address }) => !mayReach(address, allow))
  // Which one it is would tell a stranger about the network inside.
  if (forbidden) throw new ConnectionRefused(`${host} resolves to an address that is not public`)
  return found
}

/** The system's resolver, so that what an operator's hosts file says holds. */
function resolveBySystem(host: string): Promise<Resolved[]> {
  return dns.promises.lookup(host, { all: true })
}

/** Belt and braces: the address that the socket really has. */
function isAllowedPeer(socket: Socket, allow: AllowList): boolean {
  return socket.remoteAddress !== undefined && mayReach(socket.remoteAddress, allow)
}
