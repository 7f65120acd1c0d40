import { AsyncLocalStorage } from 'node:async_hooks'
import type { LookupFunction, Socket } from 'node:net'
import { buildConnector } from 'undici'
import type { Resolved } from '../names/ask-dns.ts'
import { isLocalName } from '../names/local-name.ts'
import { lookupBy } from '../names/names.ts'
import type { Connect } from './connection.ts'
import { type AllowList, mayReach } from './public-address.ts'
import { localAddresses } from './target.ts'

/** Every address of a name; rejects where it has none. `teamId`: whose request it is for. */
export type Resolve = (host: string, teamId?: string) => Promise<Resolved[]>

/** A connection that may not be made, as opposed to one that fails. */
export class ConnectionRefused extends Error {}

export type ConnectOptions = { allow: AllowList; resolve: Resolve; connectTimeoutMs: number; ca?: string }

/** `cut` ends the attempts under way, which the client itself would wait for. */
export type GuardedConnector = { connect: Connect; cut(): void }

/**
 * Makes the connections: a name is resolved once, every address it has is checked, and the connection goes to one of
 * these and no other, so a name that resolves differently the next moment gains nothing.
 */
export function guardedConnector(options: ConnectOptions): GuardedConnector {
  const { allow, resolve, connectTimeoutMs, ca } = options
  /** The library's connector takes one lookup for all. */
  const teamOf = new AsyncLocalStorage<string | undefined>()
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    lookup: guardedLookup(allow, (host) => resolve(host, teamOf.getStore())),
    allowH2: false,
    ...(ca !== undefined && { ca }),
  } as buildConnector.BuildOptions)
  const connecting = new Set<Socket>()
  return {
    connect(target, callback, teamId) {
      const done: typeof callback = (...result) => {
        connecting.delete(begun)
        const [error, socket] = result
        if (error || isAllowedPeer(socket, allow)) return callback(...result)
        socket.destroy()
        callback(new ConnectionRefused('the connection is not to a public address'), null)
      }
      // The types leave out that it gives the socket.
      const begun = teamOf.run(teamId, () => connect(target, done)) as unknown as Socket
      connecting.add(begun)
      return begun
    },
    cut() {
      for (const socket of connecting) socket.destroy(new Error('The process ends.'))
    },
  }
}

function guardedLookup(allow: AllowList, resolve: Resolve): LookupFunction {
  return lookupBy((host) => addressesOf(host, allow, resolve))
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

/** Belt and braces: the address that the socket really has. */
function isAllowedPeer(socket: Socket, allow: AllowList): boolean {
  return socket.remoteAddress !== undefined && mayReach(socket.remoteAddress, allow)
}
