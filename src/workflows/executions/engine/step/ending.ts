import { DomainError, type RefusalKind } from '../../../../platform/errors.ts'
import type { ActionNode, Outcome } from '../../../nodes/node.ts'
import type { Taken } from '../../../table.ts'
import { outputMaxBytes, sizeOf } from './recordable.ts'

/** The result of running a node. */
export type Result = { outcome: Outcome } | { error: Error }

/** A result in the form that a step takes; outputs are JSON. */
export type Ending =
  | { kind: 'completed'; output: string; branch: Taken }
  | { kind: 'waits'; output: string; until: Date }
  | { kind: 'failed'; message: string; mayRetry: boolean; fault: Error | null }

export type FailedEnding = Extract<Ending, { kind: 'failed' }>

/** Reads the result of an attempt. An output that cannot be recorded fails the node for good. */
export function endingOf(type: ActionNode, result: Result): Ending {
  if ('error' in result) return failedEnding(result.error, type.retries)
  const { outcome } = result
  let output: string
  try {
    output = JSON.stringify(outcome.output) ?? 'null'
  } catch (error) {
    return finalFailure(`The output cannot be written as JSON: ${(error as Error).message}`)
  }
  const sizeBytes = sizeOf(output)
  if (sizeBytes > outputMaxBytes) {
    return finalFailure(`The output has ${sizeBytes} bytes as JSON; at most ${outputMaxBytes} are kept.`)
  }
  if ('waitUntil' in outcome) return { kind: 'waits', output, until: outcome.waitUntil }
  return { kind: 'completed', output, branch: outcome.ends ? 'none' : (outcome.branch ?? null) }
}

/** Refusals that may not occur at the next attempt. */
const passing: RefusalKind[] = ['limitExceeded', 'providerFailed', 'unavailable']

/** The team sees a node's own errors. Any other error is a bug, which only the log describes. */
export function failedEnding(error: Error, retries: boolean): FailedEnding {
  const mayRetry = retries && (!(error instanceof DomainError) || passing.includes(error.kind))
  if (error instanceof DomainError || error.constructor === Error) {
    return { kind: 'failed', message: error.message, mayRetry, fault: null }
  }
  const message = 'Something went wrong in Posthorn. The log of the server has the error.'
  return { kind: 'failed', message, mayRetry, fault: error }
}

export function finalFailure(message: string): FailedEnding {
  return { kind: 'failed', message, mayRetry: false, fault: null }
}
