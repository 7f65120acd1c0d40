import type { Answer } from '../api/request.ts'
import { saidIn } from '../status/said.ts'
import { toneOf } from '../status/tones.ts'
import type { Station } from '../ui/frame/route-line.tsx'
import { sentence } from '../ui/text/words.ts'
import type { PhoneEvent, Sms } from './message.ts'

/** The fields of an event's data that hold a sentence, in this order. Each provider has its own name for it. */
const telling = ['messageStatusDescription', 'reason', 'error', 'errorMessage', 'message', 'title', 'details']

type WhatsappMessage = Answer<'/v1/whatsapp/messages/:id'>
type Message = Pick<Sms | WhatsappMessage, 'status' | 'createdAt'>
type EventType = Sms['status'] | WhatsappMessage['events'][number]['type']

const faulty: ReadonlySet<string> = new Set<EventType>(['failed', 'undelivered', 'outcome_unknown'])
/** The statuses that may follow a status that is not the last one. */
const nextOf: Partial<Record<Message['status'], string>> = { accepted: 'Sent', queued: 'Sent', sent: 'Delivered' }

/**
 * Returns the way of an SMS or a WhatsApp message: accepted, what happened since, oldest first, and what is awaited.
 */
export function messageStations({ status, createdAt }: Message, events: PhoneEvent[]): Station[] {
  const happened = events
    .filter(({ type }) => type !== 'accepted')
    .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt) || one.id.localeCompare(other.id))
    .map(({ id, type, createdAt: at, data }): Station => {
      return {
        id,
        name: sentence(type),
        at,
        state: faulty.has(type) ? 'fault' : 'passed',
        tone: toneOf(type),
        children: saidIn(data, telling),
      }
    })
  const isUnknown = events.some(({ type }) => type === 'outcome_unknown')
  const next = isUnknown ? undefined : nextOf[status]
  return [
    { id: 'accepted', name: 'Accepted', at: createdAt, state: 'passed' },
    ...happened,
    ...(next ? [{ id: 'next', name: next, state: 'next' as const }] : []),
  ]
}
