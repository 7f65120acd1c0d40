import { contextOf } from '../../context/memory.ts'
import type { ActionNode, Context } from '../../nodes/node.ts'
import { nodeTypeOf } from '../../nodes/registry.ts'
import { fillAll } from '../../placeholders/fill.ts'
import type { NodeWrite } from './record.ts'
import { recordableInput } from './recordable.ts'
import { grow, type Run } from './run.ts'
import { fail, messageOf, writeOf } from './settle.ts'

/** A node about to be run. */
export type Begun = {
  nodeId: string
  type: ActionNode
  context: Context
  input: Record<string, unknown>
  /** Of the input, as JSON. */
  sizeBytes: number
}

/** Processes that may die one after the other while they run a node, before it is taken for their murderer. */
const interruptionsMax = 5

/** `write`: to be recorded before the node runs; null where nothing needs to be. `node`: null where it has failed already. */
type Beginning = { write: NodeWrite | null; node: Begun | null }

/** Readies a node for its first attempt, for the next one, or for one that another process did not bring to its end. */
export function begin(run: Run, nodeId: string, now: Date): Beginning {
  const { type: typeName, config } = run.plan.byId.get(nodeId)!
  const type = nodeTypeOf(typeName)
  let state = run.states.get(nodeId)
  if (!state) {
    const blank = { branch: null, runAt: null, output: null, error: null, input: null }
    state = { ...blank, id: run.app.newId(), status: 'running', attempts: 1, interruptions: 0, startedAt: now }
    run.states.set(nodeId, state)
  } else if (state.runAt) {
    state.runAt = null
    state.attempts++
  } else if (++state.interruptions >= interruptionsMax) {
    const message = `Given up: ${interruptionsMax} times in a row, the process ended while it ran this node.`
    return { write: fail(run, nodeId, message, now), node: null }
  }
  if (type?.kind !== 'action') {
    return { write: fail(run, nodeId, `There is no node type ${typeName}.`, now), node: null }
  }
  try {
    // Not what beside it happens to be complete already: repeated after a kill, it is to be given the same.
    const { knows } = run.plan.byId.get(nodeId)!
    const context = contextOf(run.memory, knows)
    const input: Record<string, unknown> = type.prepare ? type.prepare(config, context) : fillAll(config, context)
    const { text, sizeBytes } = recordableInput(type.shown ? type.shown(input) : input)
    state.input = text
    grow(run, sizeBytes)
    return { write: type.pure ? null : writeOf(run, nodeId, null), node: { nodeId, type, context, input, sizeBytes } }
  } catch (error) {
    return { write: fail(run, nodeId, messageOf(run, nodeId, error as Error), now), node: null }
  }
}
