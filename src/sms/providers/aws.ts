import type { LookupFunction } from 'node:net'
import type { PinpointSMSVoiceV2Client } from '@aws-sdk/client-pinpoint-sms-voice-v2'
import { inTime } from '../../platform/aws/call-once.ts'
import { type CallSettings, callSettings } from '../../platform/aws/call-settings.ts'
import { createSemaphore } from '../../platform/limits/semaphore.ts'
import { type FailureLog, noteFailures } from '../../platform/log/note-failures.ts'
import { refuseInsideTransaction } from '../../platform/transaction/inside.ts'
import { defineSmsProvider, type SmsProvider } from '../provider.ts'
import { handOver } from './aws/hand-over.ts'
import { judgeFailure } from './aws/judge-failure.ts'
import { registerSender } from './aws/register-sender.ts'
import { awsRoutes } from './aws/routes.ts'
import { awsSettings } from './aws/settings.ts'

export const aws = defineSmsProvider({
  name: 'aws',
  about: 'Sends through AWS End User Messaging; see [text-messages.md](text-messages.md).',
  settings: awsSettings,
  routes: awsRoutes,
  create: ({ region, endpoint, configurationSet }, { log, names: { lookup } }) =>
    awsProvider({ region, endpoint, configurationSet, lookup, log }),
})

export type AwsOptions = {
  region: string
  /** Replaces Amazon's endpoint. */
  endpoint: string | null
  lookup?: LookupFunction
  configurationSet: string | null
  log: FailureLog
  timeouts?: Partial<AwsTimeouts>
}

type AwsTimeouts = { connectMs: number; idleMs: number; totalMs: number }

/** `totalMs` limits a whole call and is less than the 30 s for which a process holds a message. */
const usualTimeouts: AwsTimeouts = { connectMs: 5000, idleMs: 15_000, totalMs: 20_000 }
/** Equals the number of connections, so that a running call never waits for one. */
const runningMax = 64
const waiting = { waitingMax: 2000, waitingBytesMax: 16 * 1024 * 1024, waitMs: 5000 }

/** Sends through AWS End User Messaging. */
export function awsProvider(options: AwsOptions): SmsProvider {
  const { region, endpoint, lookup, configurationSet, log, timeouts } = options
  const bounds = { ...usualTimeouts, ...timeouts }
  const client = awsClient({ ...bounds, region, endpoint, ...(lookup && { lookup }), connectionsMax: runningMax })
  const calls = createSemaphore({ runningMax, ...waiting })
  const failures = noteFailures(log, 'AWS End User Messaging')
  return {
    name: 'aws',
    async send(message) {
      refuseInsideTransaction('A call to AWS End User Messaging')
      const release = await calls.enter(message.body.length)
      if (!release)
        return { kind: 'unavailable', message: 'Too many messages are waiting for Amazon. Try again shortly.' }
      let hasLeft = false
      const onLeave = () => {
        hasLeft = true
      }
      try {
        const { totalMs } = bounds
        const id = await handOver(await client.get(), { message, configurationSet, totalMs, onLeave })
        failures.clear()
        if (id === null) return { kind: 'unknown', message: 'Amazon accepted the message but returned no id for it.' }
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
        // A registration can be repeated safely, even if this one succeeded.
        const failure = judgeFailure(error, { hasLeft: true, region })
        if (failure.kind === 'refusal') return { kind: outcomeOf(failure.data), reason: failure.message }
        return { kind: 'unavailable', message: failure.message }
      }
    },
    close: () => client.close(),
  }
}

/** Amazon's reasons for names that a country's carriers do not allow. */
const carrierReasons = new Set<unknown>([
  'SENDER_ID_NOT_REGISTERED',
  'SENDER_ID_NOT_SUPPORTED',
  'SENDER_ID_REQUIRES_REGISTRATION',
])

function outcomeOf({ messageStatus }: Record<string, unknown>): 'failed' | 'rejected' {
  return carrierReasons.has(messageStatus) ? 'rejected' : 'failed'
}

/** Creates the client when it is first needed, because the AWS library is large. */
function awsClient({ region, ...settings }: CallSettings & { region: string }) {
  let client: Promise<PinpointSMSVoiceV2Client> | undefined
  async function make(): Promise<PinpointSMSVoiceV2Client> {
    const { PinpointSMSVoiceV2Client } = await import('@aws-sdk/client-pinpoint-sms-voice-v2')
    return new PinpointSMSVoiceV2Client({ ...callSettings(settings), region })
  }
  return {
    get(): Promise<PinpointSMSVoiceV2Client> {
      client ??= make()
      return client
    },
    async close(): Promise<void> {
      ;(await client)?.destroy()
    },
  }
}
