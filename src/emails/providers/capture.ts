import { bounceNotification, complaintNotification, delayNotification, deliveryNotification } from '../notification.ts'
import type { DeliveryFact, EmailProvider, OutboundMessage } from '../provider.ts'

type Life = (message: OutboundMessage, recipient: string) => DeliveryFact[]

/** `EMAIL_PROVIDER=capture`: keeps every message and plays what a provider would tell of it, by the recipient's address. */
export function captureProvider({ store }: { store(message: OutboundMessage): Promise<void> }): EmailProvider {
  return {
    name: 'capture',
    signs: false,
    async send(message) {
      await store(message)
      const { to } = message.envelope
      return { kind: 'answered', accepted: to, facts: to.flatMap((recipient) => lifeOf(recipient)(message, recipient)), response: null }
    },
    close: async () => undefined,
  }
}

/** Simulated recipients are those of domains that cannot exist. */
function lifeOf(recipient: string): Life {
  const match = /^(bounce|softbounce|complaint|delayed)[^@]*@([^@]+\.)?test$/i.exec(recipient)
  return lives[match?.[1]?.toLowerCase() ?? 'delivered'] ?? delivered
}

const delivered: Life = (message, recipient) => [
  { type: 'delivered', recipient, data: deliveryNotification(message, [recipient], '250 2.0.0 kept in the inbox', message.at) },
]

const lives: Record<string, Life> = {
  delivered,
  bounce: (message, recipient) => {
    const diagnosis = { permanent: true, status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 no such user (simulated)' }
    return [{ type: 'bounced', recipient, permanent: true, data: bounceNotification(message, recipient, diagnosis, message.at) }]
  },
  softbounce: (message, recipient) => {
    const diagnosis = { permanent: false, status: '4.2.2', diagnosticCode: 'smtp; 452 4.2.2 mailbox full (simulated)' }
    return [{ type: 'bounced', recipient, permanent: false, data: bounceNotification(message, recipient, diagnosis, message.at) }]
  },
  complaint: (message, recipient) => [
    ...delivered(message, recipient),
    { type: 'complained', recipient, data: complaintNotification(message, recipient, 'abuse', message.at) },
  ],
  delayed: (message, recipient) => {
    const diagnosis = { status: '4.4.1', diagnosticCode: 'smtp; 451 4.4.1 try again later (simulated)' }
    return [{ type: 'delivery_delayed', recipient, data: delayNotification(message, recipient, diagnosis, message.at) }]
  },
}
