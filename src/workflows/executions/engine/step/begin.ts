import { whileFilling } from '../../../context/filling.ts'
import { contextOf } from '../../../context/memory.ts'
import { fillAll } from '../../../placeholders/fill.ts'
import { type FailedEnding, failedEnding, finalFailure } from './ending.ts'
import { recordableInput } from './recordable.ts'
import { failNode } from './settle.ts'
import { type Begun, changeNode, type NodeEntry, newEntry, phaseOf, type StepDraft, type World } from './state.ts'

/** Processes that may end or lose the database one after the other while they run a node, before the node fails. */
const interruptionsMax = 5

/**
 * Begins a node: its first attempt, the next one, or again the one that another process did not end. The node fails at
 * once if its input cannot be made.
 */
export function beginNode(draft: StepDraft, nodeId: string, world: World): void {
  const entry = noteBeginning(draft, nodeId, world)
  const begun = inputOf(draft, nodeId, entry)
  if ('kind' in begun) failNode(draft, nodeId, begun, world.now)
  else markUnderWay(draft, begun)
}

/** A node that is under way, and is to be begun again, was left by a process that ended or lost the database. */
function noteBeginning(draft: StepDraft, nodeId: string, { now, newId }: World): NodeEntry {
  const before = draft.nodes.get(nodeId)
  const entry = !before
    ? newEntry(newId(), { status: 'running', attempts: 1, startedAt: now })
    : phaseOf(before) === 'waits for its next attempt'
      ? { ...before, runAt: null, attempts: before.attempts + 1 }
      : { ...before, interruptions: before.interruptions + 1 }
  draft.nodes.set(nodeId, entry)
  return entry
}

/** Makes the input of a node, or says why the node cannot run. */
function inputOf({ plan, memory }: StepDraft, nodeId: string, entry: NodeEntry): Begun | FailedEnding {
  const { id, attempts, interruptions, startedAt } = entry
  if (interruptions >= interruptionsMax) {
    return finalFailure(
      `Given up: ${interruptionsMax} times in a row, the process ended or lost the database while it ran this node.`,
    )
  }
  const { nodeType: type, type: typeName, config, knows } = plan.byId.get(nodeId)!
  if (type?.kind !== 'action') return finalFailure(`There is no node type ${typeName}.`)
  try {
    // Other nodes may have completed since an earlier attempt, so only the nodes that lead here count.
    const context = contextOf(memory, knows)
    const fill = () => (type.prepare ? type.prepare(config, context) : fillAll(config, context))
    const input: Record<string, unknown> = whileFilling(context, fill)
    const shown = recordableInput(type.shown ? type.shown(input) : input)
    return { nodeId, id, type, context, input, shown, attempt: attempts + interruptions, startedAt: startedAt! }
  } catch (error) {
    return failedEnding(error as Error, false)
  }
}

/** Marks a node as under way. The input of a pure node is recorded when it ends. */
function markUnderWay(draft: StepDraft, begun: Begun): void {
  const { nodeId, type, shown } = begun
  draft.underWay.set(nodeId, { sizeBytes: shown.sizeBytes, unrecordedInput: type.pure ? shown.text : null })
  draft.sizeBytes += shown.sizeBytes
  draft.begin.push(begun)
  if (!type.pure) changeNode(draft, nodeId, {}, { input: shown.text })
}
