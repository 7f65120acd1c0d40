import { bounceNotification, complaintNotification, delayNotification, deliveryNotification } from '../notification.ts'
import { type DeliveryFact, defineEmailProvider, type OutboundMessage, type WholeProvider } from '../provider.ts'

export const capture = defineEmailProvider({
  name: 'capture',
  about: 'Keeps all mail in the inbox and simulates its delivery.',
  settings: {},
  routes: [],
  create: (_, { store }) => captureProvider({ store }),
})

/** Keeps every message and simulates what a provider would report, depending on the recipient's address. */
export function captureProvider({ store }: { store(message: OutboundMessage): Promise<void> }): WholeProvider {
  return {
    name: 'capture',
    signs: false,
    async send(message) {
      await store(message)
      return { kind: 'answered', accepted: message.envelope.to, facts: factsOf(message), response: null }
    },
    close: async () => undefined,
  }
}

/**
 * Returns one delivery for all recipients that got the message, and then the simulated facts about each other
 * recipient.
 */
function factsOf(message: OutboundMessage): DeliveryFact[] {
  const fates = message.envelope.to.map((recipient) => ({ recipient, fate: fateOf(recipient) }))
  const reached = fates.flatMap(({ recipient, fate }) => (!fate || fate === 'complaint' ? recipient : []))
  const played = fates.flatMap(({ recipient, fate }) => (fate ? fateFacts[fate](message, recipient) : []))
  return reached.length > 0 ? [delivery(message, reached), ...played] : played
}

type Fate = 'bounce' | 'softbounce' | 'complaint' | 'delayed'

/** Simulates only addresses under `.test`, which is never in DNS. */
function fateOf(recipient: string): Fate | null {
  const match = /^(bounce|softbounce|complaint|delayed)[^@]*@([^@]+\.)?test$/i.exec(recipient)
  return (match?.[1]?.toLowerCase() as Fate | undefined) ?? null
}

function delivery(message: OutboundMessage, recipients: string[]): DeliveryFact {
  const data = deliveryNotification(message, recipients, '250 2.0.0 kept in the inbox', message.at)
  return { type: 'delivered', recipient: recipients[0]!, data }
}

function bounce(message: OutboundMessage, recipient: string, permanent: boolean): DeliveryFact {
  const diagnosis = permanent
    ? { permanent, status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 no such user (simulated)' }
    : { permanent, status: '4.2.2', diagnosticCode: 'smtp; 452 4.2.2 mailbox full (simulated)' }
  return { type: 'bounced', recipient, permanent, data: bounceNotification(message, recipient, diagnosis, message.at) }
}

const fateFacts: Record<Fate, (message: OutboundMessage, recipient: string) => DeliveryFact[]> = {
  bounce: (message, recipient) => [bounce(message, recipient, true)],
  softbounce: (message, recipient) => [bounce(message, recipient, false)],
  complaint: (message, recipient) => [
    { type: 'complained', recipient, data: complaintNotification(message, recipient, 'abuse', message.at) },
  ],
  delayed: (message, recipient) => {
    const diagnosis = { status: '4.4.1', diagnosticCode: 'smtp; 451 4.4.1 try again later (simulated)' }
    return [{ type: 'delivery_delayed', recipient, data: delayNotification(message, recipient, diagnosis, message.at) }]
  },
}
