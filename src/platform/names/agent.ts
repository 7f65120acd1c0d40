import http from 'node:http'
import https from 'node:https'
import { Agent, buildConnector, fetch as undiciFetch } from 'undici'
import { passOverContinue } from '../egress/pass-over-continue.ts'
import { perApp } from '../per-app.ts'
import type { Names } from './names.ts'

/** Returns a Node agent for libraries, to hosts that the operator named. */
export function agentOf({ lookup }: Names, protocol: 'http' | 'https'): http.Agent {
  return protocol === 'http'
    ? new http.Agent({ keepAlive: true, lookup })
    : new https.Agent({ keepAlive: true, lookup })
}

const connectTimeoutMs = 10_000

/** Returns a `fetch` for libraries, to hosts that the operator named. */
export const fetchOf = perApp(({ lookup }: Names): typeof fetch => {
  const connect = buildConnector({ lookup, timeout: connectTimeoutMs, allowH2: false } as buildConnector.BuildOptions)
  const dispatcher = new Agent({
    allowH2: false,
    connect: (target, callback) =>
      connect(target, (...result) => {
        if (result[1]) passOverContinue(result[1])
        callback(...result)
      }),
  })
  return ((input: string, init: object) => undiciFetch(input, { ...init, dispatcher })) as unknown as typeof fetch
})
