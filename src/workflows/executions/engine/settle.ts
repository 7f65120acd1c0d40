import { DomainError, type RefusalKind } from '../../../platform/errors.ts'
import { nodeTypeOf } from '../../nodes/registry.ts'
import type { Result } from './attempt.ts'
import { failureOf, type RunState } from './load.ts'
import type { NodeWrite } from './record.ts'
import { outputMaxBytes, recordableText, sizeOf } from './recordable.ts'
import { grow, type Run } from './run.ts'

/** An attempt that has ended. */
export type Ended = { nodeId: string; result: Result }

/** What a node's attempt has come to: complete, failed, to be tried again, or waiting for its time. */
export function settle(run: Run, { nodeId, result }: Ended, now: Date): NodeWrite {
  if ('error' in result) return settleError(run, nodeId, result.error, now)
  const { outcome } = result
  let output: string
  try {
    output = JSON.stringify(outcome.output) ?? 'null'
  } catch (error) {
    return fail(run, nodeId, `The output cannot be written as JSON: ${(error as Error).message}`, now)
  }
  const sizeBytes = sizeOf(output)
  if (sizeBytes > outputMaxBytes) {
    return fail(run, nodeId, `The output has ${sizeBytes} bytes as JSON; at most ${outputMaxBytes} are kept.`, now)
  }
  if (!('waitUntil' in outcome))
    return complete(run, nodeId, output, now, outcome.ends ? 'none' : (outcome.branch ?? null))
  const state = run.states.get(nodeId)!
  if (outcome.waitUntil <= now) return complete(run, nodeId, output, now, null)
  const isLong = outcome.waitUntil.getTime() - state.startedAt!.getTime() > run.app.config.longDelayMs
  state.status = isLong ? 'waiting' : 'running'
  state.runAt = outcome.waitUntil
  state.output = output
  return writeOf(run, nodeId, null)
}

/** A delay whose time has come gives what it had ready. */
export function complete(run: Run, nodeId: string, output: string, now: Date, branch: RunState['branch']): NodeWrite {
  const state = run.states.get(nodeId)!
  state.status = 'completed'
  state.branch = branch
  state.runAt = null
  run.memory.texts.set(`node_${nodeId}`, output)
  grow(run, sizeOf(output))
  state.output = null
  return { ...writeOf(run, nodeId, now), output }
}

export function fail(run: Run, nodeId: string, message: string, now: Date): NodeWrite {
  const state = run.states.get(nodeId)!
  state.status = 'failed'
  state.runAt = null
  state.error = recordableText(message)
  run.failure ??= failureOf(nodeId, state.error)
  return writeOf(run, nodeId, now)
}

function settleError(run: Run, nodeId: string, error: Error, now: Date): NodeWrite {
  const state = run.states.get(nodeId)!
  const delayMs = mayRetry(run, nodeId, error) ? run.app.config.nodeRetryDelaysMs[state.attempts - 1] : undefined
  if (delayMs === undefined) return fail(run, nodeId, messageOf(run, nodeId, error), now)
  state.runAt = new Date(now.getTime() + delayMs)
  state.interruptions = 0
  return writeOf(run, nodeId, null)
}

/** What a node says of itself is told; a fault of ours is for the log. */
export function messageOf({ app, executionId }: Run, nodeId: string, error: Error): string {
  if (error instanceof DomainError || error.constructor === Error) return error.message
  app.log.error({ err: error, executionId, nodeId }, 'a workflow node failed')
  return 'Something went wrong in Posthorn. The log of the server has the error.'
}

/** Refusals that the next attempt may not meet any more. */
const passing: RefusalKind[] = ['limitExceeded', 'providerFailed', 'unavailable']

function mayRetry(run: Run, nodeId: string, error: Error): boolean {
  const type = nodeTypeOf(run.plan.byId.get(nodeId)!.type)
  if (type?.kind !== 'action' || !type.retries) return false
  return !(error instanceof DomainError) || passing.includes(error.kind)
}

export function writeOf(run: Run, nodeId: string, completedAt: Date | null): NodeWrite {
  const state = run.states.get(nodeId)!
  const write = { ...state, nodeId, nodeType: run.plan.byId.get(nodeId)!.type, completedAt }
  state.input = null
  return write
}
