import { toneOf } from '../status/tones.ts'
import type { Station } from '../ui/frame/route-line.tsx'
import { sentence } from '../ui/text/words.ts'
import type { Email, EmailEvent } from './email.ts'

/** The fields of an event's data that get a line, in this order. */
const telling = ['diagnosticCode', 'smtpResponse', 'complaintFeedbackType', 'reason', 'link', 'url', 'error', 'message']
const depthMax = 5

export type EmailStation = Station & { said: string | null; recipients: string[] }

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
      said: saidIn(event.data),
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

/** Finds the sentence of the host, or the link, in the data of an event, which is nested as providers give it. */
export function saidIn(data: unknown): string | null {
  for (const name of telling) {
    const [found] = textsUnder(data, name)
    if (found !== undefined) return found
  }
  return null
}

function recipientsIn(data: unknown): string[] {
  return [...new Set([...textsUnder(data, 'emailAddress'), ...textsUnder(data, 'recipients')])]
}

/** Returns the texts that stand under a name, at any depth to `depthMax`. */
function textsUnder(value: unknown, name: string, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > depthMax) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === name) return [inner].flat().filter((one): one is string => typeof one === 'string' && one !== '')
    return textsUnder(inner, name, depth + 1)
  })
}
