import type { Taken } from '../../../table.ts'
import type { Ending, FailedEnding } from './ending.ts'
import { recordableText, sizeOf } from './recordable.ts'
import { changeNode, type StepDraft, type World } from './state.ts'

/** An attempt that has ended. */
export type Happened = { nodeId: string; ending: Ending }

/** Applies the end of an attempt to its node, which is then complete, failed, waiting, or due for another attempt. */
export function settleNode(draft: StepDraft, { nodeId, ending }: Happened, world: World): void {
  const { sizeBytes, unrecordedInput: input } = draft.underWay.get(nodeId)!
  draft.sizeBytes -= sizeBytes
  draft.underWay.delete(nodeId)
  if (ending.kind === 'failed') retryOrFail(draft, nodeId, { ...ending, input }, world)
  else if (ending.kind === 'completed') completeNode(draft, nodeId, { ...ending, input }, world.now)
  else if (ending.until <= world.now)
    completeNode(draft, nodeId, { output: ending.output, branch: null, input }, world.now)
  else wait(draft, nodeId, { ...ending, input }, world)
}

/** `input`: as JSON, set if it is recorded together with the end of the node. */
type WithInput<T> = T & { input?: string | null }

/** Makes the node one that delays: see `phaseOf`. */
function wait(
  draft: StepDraft,
  nodeId: string,
  { until, output, input = null }: WithInput<Extract<Ending, { kind: 'waits' }>>,
  { longDelayMs }: World,
): void {
  const { startedAt } = draft.nodes.get(nodeId)!
  const isLong = until.getTime() - startedAt!.getTime() > longDelayMs
  changeNode(draft, nodeId, { status: isLong ? 'waiting' : 'running', runAt: until, output }, { input })
}

export function completeNode(
  draft: StepDraft,
  nodeId: string,
  { output, branch, input = null }: WithInput<{ output: string; branch: Taken }>,
  now: Date,
): void {
  draft.memory.texts.set(`node_${nodeId}`, output)
  draft.sizeBytes += sizeOf(output)
  const completed = { status: 'completed', branch, runAt: null, output: null } as const
  changeNode(draft, nodeId, completed, { output, input, completedAt: now })
}

function retryOrFail(draft: StepDraft, nodeId: string, ending: WithInput<FailedEnding>, world: World): void {
  const { attempts } = draft.nodes.get(nodeId)!
  const delayMs = ending.mayRetry ? world.nodeRetryDelaysMs[attempts - 1] : undefined
  if (delayMs === undefined) failNode(draft, nodeId, ending, world.now)
  else {
    const runAt = new Date(world.now.getTime() + delayMs)
    changeNode(draft, nodeId, { runAt, interruptions: 0 }, { input: ending.input ?? null })
  }
}

export function failNode(
  draft: StepDraft,
  nodeId: string,
  { message, fault, input = null }: WithInput<FailedEnding>,
  now: Date,
): void {
  const error = recordableText(message)
  draft.failure ??= executionError(nodeId, error)
  if (fault) draft.faults.push({ nodeId, error: fault })
  changeNode(draft, nodeId, { status: 'failed', runAt: null, error }, { input, completedAt: now })
}

export function executionError(nodeId: string, error: string | null): string {
  return `Node ${nodeId} failed: ${error}`
}
