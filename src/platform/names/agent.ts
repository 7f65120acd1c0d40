import http from 'node:http'
import https from 'node:https'
import { Agent, fetch as undiciFetch } from 'undici'
import type { Names } from './names.ts'

/** For libraries that take an agent of Node's, to hosts that the operator named. */
export function agentOf({ lookup }: Names, protocol: 'http' | 'https'): http.Agent {
  return protocol === 'http'
    ? new http.Agent({ keepAlive: true, lookup })
    : new https.Agent({ keepAlive: true, lookup })
}

const fetchers = new WeakMap<Names, typeof fetch>()

/** The same for libraries that take a `fetch`. */
export function fetchOf(names: Names): typeof fetch {
  const known = fetchers.get(names)
  if (known) return known
  const dispatcher = new Agent({ connect: { lookup: names.lookup } })
  const made = ((input: string, init: object) => undiciFetch(input, { ...init, dispatcher })) as unknown as typeof fetch
  fetchers.set(names, made)
  return made
}
