import { DomainError } from '../errors.ts'
import { readJson } from './read-json.ts'

/** Providers gather events: a thousand of some thirty members each. Who wrote them is known before they are read. */
const membersMax = 100_000

/**
 * The value of JSON that a provider wrote, null where it is none. Strangers' words in it may hold what no database
 * takes: NUL, and halves of characters. These are replaced, for they must not cost the event.
 */
export function readForeignJson(text: string): unknown {
  try {
    return readJson(storable(text), membersMax)
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}

function storable(json: string): string {
  return json
    .replace(/\\u0000/g, '\\ufffd')
    .replace(/\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])/g, '\\ufffd')
    .replace(/(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F][\da-fA-F]{2}/g, '\\ufffd')
    .toWellFormed()
}

export type Json = Record<string, unknown>

/** What is no object is an empty one. */
export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

/** What is no list is an empty one. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
