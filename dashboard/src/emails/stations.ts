import { saidIn, textsUnder } from '../status/said.ts'
import { toneOf } from '../status/tones.ts'
import type { Station } from '../ui/frame/route-line.tsx'
import { sentence } from '../ui/text/words.ts'
import type { Email, EmailEvent } from './email.ts'

/** The fields of an event's data that get a line, in this order. */
const telling = ['diagnosticCode', 'smtpResponse', 'complaintFeedbackType', 'reason', 'link', 'url', 'error', 'message']

type EmailStation = Station & { said: string | null; recipients: string[] }

/** Returns the way of an email: accepted, what happened since, oldest first, and the next station if one is awaited. */
export function stationsOf(
  email: Pick<Email, 'status' | 'createdAt' | 'scheduledAt'>,
  events: EmailEvent[],
): EmailStation[] {
  const accepted = station('accepted', 'Accepted', 'passed', email.createdAt)
  const happened = events
    .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt) || one.id.localeCompare(other.id))
    .filter(({ type }) => type !== 'accepted')
    .map((event) => ({
      ...station(event.id, nameOf(event.type), isFault(event.type) ? 'fault' : 'passed', event.createdAt),
      tone: toneOf(event.type),
      said: saidIn(event.data, telling),
      recipients: recipientsIn(event.data),
    }))
  return [accepted, ...happened, ...nextOf(email, events)]
}

/** The types of events may be written with their noun: `email.delivered`. */
function nameOf(type: string): string {
  return sentence(type.replace(/^email\./, ''))
}

function isFault(type: string): boolean {
  return /bounced|complained|failed|rejected/.test(type) && !type.includes('soft')
}

function nextOf({ status, scheduledAt }: Pick<Email, 'status' | 'scheduledAt'>, events: EmailEvent[]): EmailStation[] {
  if (status === 'scheduled') return [station('next', 'Scheduled', 'next', scheduledAt)]
  if (status === 'cancelled' && !events.some(({ type }) => type.includes('cancel')))
    return [station('cancelled', 'Cancelled', 'fault')]
  return status === 'sent' || status === 'delayed' ? [station('next', 'Delivery', 'next')] : []
}

function station(id: string, name: string, state: Station['state'], at: string | null = null): EmailStation {
  return { id, name, state, at, said: null, recipients: [] }
}

function recipientsIn(data: unknown): string[] {
  return [...new Set([...textsUnder(data, 'emailAddress'), ...textsUnder(data, 'recipients')])]
}
