import { type FieldError, invalid, invalidFields } from '../../platform/errors.ts'
import { readJson } from '../../platform/http/body/read-json.ts'
import { faultFinder } from '../../platform/http/schema/validation.ts'
import { normalizeNumber } from '../phone-number.ts'
import type { WhatsappInboundEvent } from '../provider.ts'
import { eventSchemas, eventsMax } from './schema.ts'

const faultsMax = 50

type Json = Record<string, unknown>

/** Reads the events of a body. Throws `invalid`, naming each faulty field, fifty at most. */
export function readEvents(text: string): WhatsappInboundEvent[] {
  const body = readJson(text)
  if (!isObject(body)) throw invalid('body', 'must be an object: {"events": […]}')
  const stray = Object.keys(body).find((name) => name !== 'events')
  if (stray !== undefined) throw invalid(stray.slice(0, 200), 'is not a known field; check the spelling')
  const { events } = body
  if (!Array.isArray(events)) throw invalid('events', 'must be a list of events')
  if (events.length > eventsMax) throw invalid('events', `must not have more than ${eventsMax} events`)
  const faults: FieldError[] = []
  for (const [index, event] of events.entries()) {
    for (const { path, message } of faultsOf(event))
      faults.push({ path: `events[${index}]${path && `.${path}`}`, message })
    if (faults.length >= faultsMax) break
  }
  if (faults.length > 0) throw invalidFields(faults.slice(0, faultsMax))
  return events.map(eventOf)
}

/** One finder for each type, so that faults refer to the type that the event names. */
const finders = new Map(Object.entries(eventSchemas).map(([type, schema]) => [type, faultFinder(schema)]))

function faultsOf(event: unknown): FieldError[] {
  if (!isObject(event)) return [{ path: '', message: 'must be an object' }]
  const findFaults = finders.get(String(event.type))
  if (!findFaults) return [{ path: 'type', message: `must be one of ${[...finders.keys()].join(', ')}` }]
  const faults = findFaults(event)
  if (typeof event.from === 'string' && event.type === 'message' && !normalizeNumber(event.from))
    faults.push({ path: 'from', message: 'must be a phone number, such as +447700900123' })
  return faults
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function eventOf(event: Json): WhatsappInboundEvent {
  if (event.type !== 'message') return event as WhatsappInboundEvent
  const { timestamp, ...message } = event
  return { ...message, at: typeof timestamp === 'string' ? new Date(timestamp) : null } as WhatsappInboundEvent
}
