import { type FieldError, invalid, invalidFields } from '../../platform/errors.ts'
import { readJson } from '../../platform/http/read-json.ts'
import { normalizeNumber } from '../phone-number.ts'
import type { WhatsappInboundEvent } from '../provider.ts'
import { idMax } from './apply.ts'

const eventsMax = 1000
const faultsMax = 50

type Json = Record<string, unknown>

/** The events of a body, as the signed endpoint takes them. Throws `invalid` naming every field at fault. */
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
    faults.push(...faultsOf(event).map(({ path, message }) => ({ path: `events[${index}]${path}`, message })))
    if (faults.length >= faultsMax) break
  }
  if (faults.length > 0) throw invalidFields(faults.slice(0, faultsMax))
  return events.map(eventOf)
}

type Check = (value: unknown) => string | null
type Fields = Record<string, { check: Check; optional?: true }>

const fields: Record<WhatsappInboundEvent['type'], Fields> = {
  message: {
    phoneNumberId: { check: name },
    from: { check: phoneNumber },
    text: { check: text },
    providerMessageId: { check: name },
    contactName: { check: orNull(name), optional: true },
    timestamp: { check: orNull(time), optional: true },
  },
  status: {
    providerMessageId: { check: name },
    status: { check: oneOf('sent', 'delivered', 'read', 'failed') },
    data: { check: orNull(object), optional: true },
  },
  template_status: {
    wabaId: { check: name },
    templateName: { check: name },
    language: { check: name },
    status: { check: oneOf('approved', 'rejected', 'disabled') },
    reason: { check: orNull(text), optional: true },
  },
}

function faultsOf(event: unknown): FieldError[] {
  if (!isObject(event)) return [{ path: '', message: 'must be an object' }]
  const { type, ...given } = event
  const known = typeof type === 'string' && Object.hasOwn(fields, type) ? fields[type as keyof typeof fields] : null
  if (!known) return [{ path: '.type', message: `must be one of ${Object.keys(fields).join(', ')}` }]
  const strays = Object.keys(given).filter((field) => !Object.hasOwn(known, field))
  const faults = Object.entries(known).flatMap(([field, { check, optional }]): FieldError[] => {
    if (given[field] === undefined) return optional ? [] : [{ path: `.${field}`, message: 'is required' }]
    const message = check(given[field])
    return message === null ? [] : [{ path: `.${field}`, message }]
  })
  const unknown = strays.map((field) => {
    return { path: `.${field.slice(0, 200)}`, message: 'is not a known field; check the spelling' }
  })
  return [...faults, ...unknown]
}

function name(value: unknown): string | null {
  const fits = typeof value === 'string' && value.length >= 1 && value.length <= idMax
  return fits ? null : `must be 1 to ${idMax} characters`
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? null : 'must be text'
}

function phoneNumber(value: unknown): string | null {
  return typeof value === 'string' && normalizeNumber(value) ? null : 'must be a phone number, such as +447700900123'
}

function time(value: unknown): string | null {
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(value)
  return isTime && Date.parse(value) >= 0 ? null : 'must be an ISO 8601 time with a zone, such as 2026-01-31T09:30:00Z'
}

function object(value: unknown): string | null {
  return isObject(value) ? null : 'must be an object'
}

function oneOf(...choices: string[]): Check {
  return (value) => (choices.includes(value as string) ? null : `must be one of ${choices.join(', ')}`)
}

function orNull(check: Check): Check {
  return (value) => (value === null ? null : check(value))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function eventOf(event: Json): WhatsappInboundEvent {
  if (event.type !== 'message') return event as WhatsappInboundEvent
  const { timestamp, ...message } = event
  return { ...message, at: typeof timestamp === 'string' ? new Date(timestamp) : null } as WhatsappInboundEvent
}
