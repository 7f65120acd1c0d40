import { invalid } from '../platform/errors.ts'
import { type EventType, eventTypes } from '../webhooks/event-types.ts'

/** Reads types that are separated by commas; all of them if left out. Throws `invalid` for an unknown one. */
export function typesOf(text: string | undefined): readonly EventType[] {
  if (text === undefined) return eventTypes
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  const unknown = names.find((name) => !(eventTypes as readonly string[]).includes(name))
  if (unknown !== undefined) {
    throw invalid('types', `"${unknown}" is not a type of event; separate these by commas: ${eventTypes.join(', ')}`)
  }
  return eventTypes.filter((type) => names.includes(type))
}
