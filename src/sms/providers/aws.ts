import type { LookupFunction } from 'node:net'
import { inTime } from '../../platform/aws/call-once.ts'
import { refuseInsideTransaction } from '../../platform/inside.ts'
import { type FailureLog, noteFailures } from '../../platform/note-failures.ts'
import { createTurnstile } from '../../platform/turnstile.ts'
import type { SmsProvider } from '../provider.ts'
import { awsClient } from './aws/client.ts'
import { handOver } from './aws/hand-over.ts'
import { judgeFailure } from './aws/judge-failure.ts'
import { registerSender } from './aws/register-sender.ts'

export type AwsSmsOptions = {
  region: string
  /** In place of Amazon's own. */
  endpoint: string | null
  lookup?: LookupFunction
  configurationSet: string | null
  log: FailureLog
  timeouts?: Partial<AwsTimeouts>
}

type AwsTimeouts = { connectMs: number; idleMs: number; totalMs: number }

/** `totalMs` is for all of a call; less than the 30 s a message is held for. */
const usualTimeouts: AwsTimeouts = { connectMs: 5000, idleMs: 15_000, totalMs: 20_000 }
/** As many as there are connections: who waits for one has sent nothing, which can be told only before it is asked for. */
const runningMax = 64
const waiting = { waitingMax: { count: 2000, bytes: 16 * 1024 * 1024 }, waitMs: 5000 }

/** `SMS_PROVIDER=aws`: AWS End User Messaging. */
export function awsSmsProvider(options: AwsSmsOptions): SmsProvider {
  const { region, endpoint, lookup, configurationSet, log, timeouts } = options
  const bounds = { ...usualTimeouts, ...timeouts }
  const client = awsClient({ ...bounds, region, endpoint, ...(lookup && { lookup }), connectionsMax: runningMax })
  const turnstile = createTurnstile({ runningMax, ...waiting })
  const failures = noteFailures(log, 'AWS End User Messaging')
  return {
    name: 'aws',
    async send(message) {
      refuseInsideTransaction('A call to AWS End User Messaging')
      const release = await turnstile.enter(message.body.length)
      if (!release)
        return { kind: 'unavailable', message: 'Amazon is given as many messages as it takes at the moment.' }
      let hasLeft = false
      const onLeave = () => {
        hasLeft = true
      }
      try {
        const { totalMs } = bounds
        const id = await handOver(await client.get(), { message, configurationSet, totalMs, onLeave })
        failures.clear()
        if (id === null) return { kind: 'unknown', message: 'Amazon took the message and gave no id for it.' }
        return { kind: 'accepted', providerMessageId: id, facts: [] }
      } catch (error) {
        const failure = judgeFailure(error, { hasLeft, region })
        if (failure.kind === 'refusal') {
          failures.clear()
          return { ...failure, kind: 'refused' }
        }
        failures.note(failure.message)
        return { kind: failure.kind === 'passing' ? 'unavailable' : 'unknown', message: failure.message }
      } finally {
        release()
      }
    },
    async registerSender(sender) {
      refuseInsideTransaction('A call to AWS End User Messaging')
      const signal = AbortSignal.timeout(bounds.totalMs)
      try {
        return await inTime(signal, registerSender(await client.get(), sender, signal))
      } catch (error) {
        // Asking again does no harm, whatever became of this.
        const failure = judgeFailure(error, { hasLeft: true, region })
        if (failure.kind === 'refusal') return { kind: 'failed', reason: failure.message }
        return { kind: 'unavailable', message: failure.message }
      }
    },
    close: () => client.close(),
  }
}
