import { type Json, objectOf, readForeignJson } from '../http/body/read-foreign-json.ts'
import type { EgressResult } from './egress.ts'

/**
 * The answer of a JSON API. `body` is empty if it is not an object. `hasLeft` is true if the request may have arrived.
 */
export type JsonAnswer =
  | { kind: 'answered'; status: number; body: Json }
  | { kind: 'failed'; reason: string; hasLeft: boolean }

export function readJsonAnswer(result: EgressResult): JsonAnswer {
  if (result.kind === 'refused') return { kind: 'failed', reason: result.reason, hasLeft: false }
  if (result.kind === 'failed') return result
  return { kind: 'answered', status: result.status, body: objectOf(readForeignJson(result.body.toString('utf8'))) }
}
