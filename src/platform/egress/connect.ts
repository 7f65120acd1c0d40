import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { buildConnector } from 'undici'
import type { Resolved } from '../names/ask-dns.ts'
import { isLocalName } from '../names/local-name.ts'
import { lookupBy } from '../names/names.ts'
import type { Connect } from './connection.ts'
import { passOverContinue } from './pass-over-continue.ts'
import { isOpenPort, portOf } from './ports.ts'
import { type AllowList, isAllowed, mayReach } from './public-address.ts'
import { localAddresses, portClosed } from './target.ts'

/** Returns every address of a name and rejects if there is none. `teamId` is the team that the request belongs to. */
export type Resolve = (host: string, teamId?: string) => Promise<Resolved[]>

/** The error of a connection that is not allowed, as opposed to one that fails. */
export class ConnectionRefused extends Error {}

export type ConnectOptions = {
  allow: AllowList
  /** Whether connections may go to public addresses too, or only to those of `allow`. */
  reach: 'public' | 'allowed'
  resolve: Resolve
  connectTimeoutMs: number
  ca?: string
}

/** `cut` ends the attempts under way, for which the client itself would wait. */
type GuardedConnector = { connect: Connect; cut(): void }

/**
 * Makes the connections. Resolves a name once, checks all its addresses, and connects to one of them. A name that
 * resolves differently a moment later is therefore harmless.
 */
export function guardedConnector(options: ConnectOptions): GuardedConnector {
  const { allow, resolve, connectTimeoutMs, ca } = options
  /** The library's connector takes one lookup for all connections. */
  const attempt = new AsyncLocalStorage<Attempt>()
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    lookup: lookupBy((host) => addressesOf(host, attempt.getStore()!, { allow, resolve })),
    allowH2: false,
    ...(ca !== undefined && { ca }),
  } as buildConnector.BuildOptions)
  const connecting = new Set<Socket>()
  return {
    connect(target, callback, teamId) {
      const done: typeof callback = (...result) => {
        connecting.delete(begun)
        const [error, socket] = result
        if (error) return callback(...result)
        if (isAllowedPeer(socket, options)) {
          passOverContinue(socket)
          return callback(...result)
        }
        socket.destroy()
        callback(new ConnectionRefused('the connection is not to a public address'), null)
      }
      // The types omit the socket, which is passed.
      const port = portOf({ port: target.port, protocol: target.protocol })
      const begun = attempt.run({ teamId, port }, () => connect(target, done)) as unknown as Socket
      connecting.add(begun)
      return begun
    },
    cut() {
      for (const socket of connecting) socket.destroy(new Error('The process ends.'))
    },
  }
}

type Attempt = { teamId: string | undefined; port: number }

/** Throws `ConnectionRefused` if any address of the name may not be reached: a legitimate name has no such address. */
async function addressesOf(
  host: string,
  { teamId, port }: Attempt,
  { allow, resolve }: Pick<ConnectOptions, 'allow' | 'resolve'>,
): Promise<Resolved[]> {
  if (isLocalName(host))
    return localAddresses(allow).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const found = await resolve(host, teamId)
  if (found.length === 0) throw new Error(`${host} has no address`)
  const forbidden = found.find(({ address }) => !mayReach(address, allow))
  // The message must not name the address, which would reveal the internal network.
  if (forbidden) throw new ConnectionRefused(`${host} resolves to an address that is not public`)
  if (!isOpenPort(port) && !found.every(({ address }) => isAllowed(address, allow))) {
    throw new ConnectionRefused(portClosed(port))
  }
  return found
}

/** Checks the address that the socket has, as a second check. */
function isAllowedPeer({ remoteAddress }: Socket, { allow, reach }: Pick<ConnectOptions, 'allow' | 'reach'>): boolean {
  const mayBe = reach === 'public' ? mayReach : isAllowed
  return remoteAddress !== undefined && mayBe(remoteAddress, allow)
}
