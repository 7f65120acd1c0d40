import http from 'node:http'
import https from 'node:https'
import { Agent, fetch as undiciFetch } from 'undici'
import { perApp } from '../per-app.ts'
import type { Names } from './names.ts'

/** Returns a Node agent for libraries, to hosts that the operator named. */
export function agentOf({ lookup }: Names, protocol: 'http' | 'https'): http.Agent {
  return protocol === 'http'
    ? new http.Agent({ keepAlive: true, lookup })
    : new https.Agent({ keepAlive: true, lookup })
}

/** Returns a `fetch` for libraries, to hosts that the operator named. */
export const fetchOf = perApp(({ lookup }: Names): typeof fetch => {
  const dispatcher = new Agent({ connect: { lookup } })
  return ((input: string, init: object) => undiciFetch(input, { ...init, dispatcher })) as unknown as typeof fetch
})
