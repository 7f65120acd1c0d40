import type { LookupFunction } from 'node:net'
import { createSemaphore } from '../../platform/limits/semaphore.ts'
import { type FailureLog, noteFailures } from '../../platform/log/note-failures.ts'
import { refuseInsideTransaction } from '../../platform/transaction/inside.ts'
import {
  defineEmailProvider,
  type EmailAnswer,
  type OutboundMessage,
  unreachableFor,
  type WholeProvider,
} from '../provider.ts'
import { sendToAll } from './further-transactions.ts'
import { recipientsMax } from './ses/bounds.ts'
import { emailTag, tagName } from './ses/email-tag.ts'
import { handOver } from './ses/hand-over.ts'
import { judgeFailure } from './ses/judge-failure.ts'
import { regionalClients } from './ses/regional-clients.ts'
import { sesRoutes } from './ses/routes.ts'
import { sesSettings } from './ses/settings.ts'

export const ses = defineEmailProvider({
  name: 'ses',
  about: 'Sends through Amazon SES; see [ses.md](ses.md).',
  settings: sesSettings,
  routes: sesRoutes,
  create: ({ configurationSet, endpoint }, { log, keyring, names: { lookup } }) => {
    const tagsOf = (message: OutboundMessage) => ({ [tagName]: emailTag(keyring, message) })
    return sesProvider({ configurationSet, endpoint, lookup, tagsOf, log })
  },
})

type SesProviderOptions = {
  configurationSet: string | null
  /** Replaces Amazon's endpoint. */
  endpoint: string | null
  lookup?: LookupFunction
  /** Names and values of the message tags that every event carries. */
  tagsOf(message: OutboundMessage): Record<string, string>
  log?: FailureLog
  timeouts?: Partial<SesTimeouts>
}

/**
 * `waitMs` limits the wait for a free connection, `idleMs` the time without a byte in either direction, and `totalMs`
 * the whole call, loading of credentials included.
 */
type SesTimeouts = { waitMs: number; connectMs: number; idleMs: number; totalMs: number }

const usualTimeouts: SesTimeouts = { waitMs: 15_000, connectMs: 5000, idleMs: 20_000, totalMs: 90_000 }
/** Simultaneous calls. A call takes about a tenth of a second, so this is several hundred messages a second. */
const runningMax = 64
const waiting = { waitingMax: 2000, waitingBytesMax: 256 * 1024 * 1024 }

/** Hands complete messages to Amazon SES (API version 2). */
export function sesProvider(options: SesProviderOptions): WholeProvider {
  const { configurationSet, endpoint, lookup, tagsOf, log, timeouts } = options
  const bounds = { ...usualTimeouts, ...timeouts }
  const clients = regionalClients({ ...bounds, endpoint, ...(lookup && { lookup }), connectionsMax: runningMax })
  const calls = createSemaphore({ runningMax, ...waiting, waitMs: bounds.waitMs })
  const failures = noteFailures(log, 'Amazon SES')

  async function call(message: OutboundMessage): Promise<EmailAnswer> {
    refuseInsideTransaction('A call to Amazon SES')
    const release = await calls.enter(message.raw.length)
    if (!release) return unreachableFor('Too many messages are waiting for Amazon SES. Try again shortly.')
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
  }

  /** Gives Amazon as many recipients as it takes at once. */
  async function hand(message: OutboundMessage) {
    const to = message.envelope.to.slice(0, recipientsMax)
    const answer = await call({ ...message, envelope: { ...message.envelope, to } })
    return { answer, left: message.envelope.to.slice(recipientsMax) }
  }

  return {
    name: 'ses',
    // Amazon signs for the sender's domain only if the operator has set that up.
    signs: false,
    // It adds a `Feedback-ID` of its own below ours, where a signature over ours would look for it.
    rewrites: ['message-id', 'date', 'feedback-id'],
    // Amazon's custom MAIL FROM domain: https://docs.aws.amazon.com/ses/latest/dg/mail-from.html
    returnPathDns: ({ region }) => ({ spf: 'include:amazonses.com', mx: `feedback-smtp.${region}.amazonses.com` }),
    send: (message) => sendToAll(message, hand),
    close: async () => clients.close(),
  }
}
