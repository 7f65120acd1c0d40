import { DomainError } from '../../errors.ts'
import { parseJson } from './read-json.ts'
import { refuseExcess } from './scan-json.ts'

/**
 * Providers send up to a thousand events, of some thirty members each, at once. The sender is verified before they are
 * read.
 */
const membersMax = 100_000

/**
 * Parses JSON that a provider wrote; null if it is not JSON. Texts in it may contain characters that PostgreSQL cannot
 * store (NUL, lone surrogates). They are replaced, so that the event is not lost. Numbers are read as doubles: their
 * digits are no customer's.
 */
export function readForeignJson(text: string): unknown {
  try {
    const json = storable(text)
    refuseExcess(Buffer.from(json), membersMax)
    return parseJson(json, { mayHoldExact: false })
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

/** Returns an object unchanged, and an empty object for any other value. */
export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

/** Returns a list unchanged, and an empty list for any other value. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns a text unchanged, and an empty text for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Providers' ids have at most 128 characters. An index of PostgreSQL holds texts of up to 2,700 bytes. */
const idLengthMax = 500

/** Returns an id unchanged, and null for any other value, among them texts that are too long for an index. */
export function idOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= idLengthMax ? value : null
}
