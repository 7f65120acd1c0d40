import type { LookupFunction } from 'node:net'
import { refuseInsideTransaction } from '../../platform/inside.ts'
import { type FailureLog, noteFailures } from '../../platform/note-failures.ts'
import { createTurnstile } from '../../platform/turnstile.ts'
import type { OutboundMessage, WholeProvider } from '../provider.ts'
import { handOver } from './ses/hand-over.ts'
import { judgeFailure } from './ses/judge-failure.ts'
import { regionalClients } from './ses/regional-clients.ts'

export type SesProviderOptions = {
  configurationSet: string | null
  /** In place of Amazon's own. */
  endpoint: string | null
  lookup?: LookupFunction
  /** Names and values of the tags that come back with every event. */
  tagsOf(message: OutboundMessage): Record<string, string>
  log?: FailureLog
  timeouts?: Partial<SesTimeouts>
}

/** `waitMs` for a place, `idleMs` without a byte in either direction, `totalMs` for all of a call, credentials included. */
export type SesTimeouts = { waitMs: number; connectMs: number; idleMs: number; totalMs: number }

const usualTimeouts: SesTimeouts = { waitMs: 15_000, connectMs: 5000, idleMs: 20_000, totalMs: 90_000 }
/** Messages at Amazon at a time: at a tenth of a second each, several hundred a second. */
const runningMax = 64
const waitingMax = { count: 2000, bytes: 256 * 1024 * 1024 }

/** Hands everything to Amazon SES (API version 2), complete as it is. */
export function sesProvider(options: SesProviderOptions): WholeProvider {
  const { configurationSet, endpoint, lookup, tagsOf, log, timeouts } = options
  const bounds = { ...usualTimeouts, ...timeouts }
  const clients = regionalClients({ ...bounds, endpoint, ...(lookup && { lookup }), connectionsMax: runningMax })
  const turnstile = createTurnstile({ runningMax, waitingMax, waitMs: bounds.waitMs })
  const failures = noteFailures(log, 'Amazon SES')
  return {
    name: 'ses',
    // Amazon's own signature names Amazon's domain; the customer's only where that was set up there.
    signs: false,
    rewrites: ['message-id', 'date'],
    async send(message) {
      refuseInsideTransaction('A call to Amazon SES')
      const release = await turnstile.enter(message.raw.length)
      if (!release)
        return { kind: 'unavailable', message: 'Amazon SES is given as many messages as it takes at the moment.' }
      let hasLeft = false
      try {
        const client = await clients.of(message.region)
        const onLeave = () => {
          hasLeft = true
        }
        const { totalMs } = bounds
        const response = await handOver(client, { message, tags: tagsOf(message), configurationSet, totalMs, onLeave })
        failures.clear()
        return { kind: 'answered', accepted: message.envelope.to, facts: [], response }
      } catch (error) {
        const failure = judgeFailure(error, { hasLeft, region: message.region })
        failures.note(failure.message)
        return failure
      } finally {
        release()
      }
    },
    close: async () => clients.close(),
  }
}
