import type { Clock } from '../../platform/time/clock.ts'
import {
  defineSmsProvider,
  type OutboundSms,
  type SmsAnswer,
  type SmsEventType,
  type SmsProvider,
} from '../provider.ts'
import { captureRoutes } from './capture/routes.ts'

export const capture = defineSmsProvider({
  name: 'capture',
  about: 'Keeps all messages in the inbox and simulates their delivery.',
  settings: {},
  routes: captureRoutes,
  create: (_, { clock, store }) => captureProvider({ clock, store }),
})

type Options = {
  clock: Clock
  /** Keeps a message in the inbox. */
  store(message: OutboundSms): Promise<void>
}

/** Keeps every message and simulates a provider's reports. The last digits of the number select the outcome. */
export function captureProvider({ clock, store }: Options): SmsProvider {
  return {
    name: 'capture',
    async send(message) {
      const { to } = message
      if (to.endsWith('0001'))
        return { kind: 'refused', message: 'The number is not in service (simulated).', data: null }
      await store(message)
      return {
        kind: 'accepted',
        providerMessageId: `capture-${message.messageId}`,
        facts: factsOf(message, clock.now()),
      }
    },
    async registerSender({ name, senderRowId }) {
      if (/reject/i.test(name))
        return { kind: 'rejected', reason: 'The carrier did not allow the sender ID (simulated).' }
      if (/fail/i.test(name)) return { kind: 'failed', reason: 'The sender ID was not accepted (simulated).' }
      return { kind: 'active', providerRef: `capture-${senderRowId}` }
    },
    close: async () => undefined,
  }
}

type Fact = Extract<SmsAnswer, { kind: 'accepted' }>['facts'][number]

function factsOf({ messageId, to }: OutboundSms, at: Date): Fact[] {
  return lifeOf(to).map((type) => ({
    factId: type,
    messageId,
    providerMessageId: `capture-${messageId}`,
    type,
    at,
    data: { messageStatus: type.toUpperCase(), messageStatusDescription: descriptions[type] },
  }))
}

type Life = Extract<SmsEventType, 'sent' | 'delivered' | 'undelivered'>

function lifeOf(to: string): Life[] {
  if (to.endsWith('0002')) return ['sent', 'undelivered']
  return to.endsWith('0003') ? ['sent'] : ['sent', 'delivered']
}

const descriptions: Record<Life, string> = {
  sent: 'Kept in the inbox.',
  delivered: 'Delivered (simulated).',
  undelivered: 'The phone cannot be reached (simulated).',
}
