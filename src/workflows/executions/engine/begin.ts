import type { ActionNode, Context } from '../../nodes/node.ts'
import { nodeTypeOf } from '../../nodes/registry.ts'
import { fillAll } from '../../placeholders/fill.ts'
import type { NodeWrite } from './record.ts'
import { recordableInput } from './recordable.ts'
import type { Run } from './run.ts'
import { fail, messageOf, writeOf } from './settle.ts'

/** A node about to be run. */
export type Begun = { nodeId: string; type: ActionNode; context: Context; input: Record<string, unknown> }

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
    const context = contextOf(run, nodeId)
    const input: Record<string, unknown> = type.prepare ? type.prepare(config, context) : fillAll(config, context)
    state.input = recordableInput(type.shown ? type.shown(input) : input)
    return { write: type.pure ? null : writeOf(run, nodeId, null), node: { nodeId, type, context, input } }
  } catch (error) {
    return { write: fail(run, nodeId, messageOf(run, nodeId, error as Error), now), node: null }
  }
}

/** Not what beside it happens to be complete already: repeated after a kill, it is to be given the same. */
function contextOf({ context, plan }: Run, nodeId: string): Context {
  const known: Context = { trigger: context.trigger, vars: context.vars }
  for (const id of plan.byId.get(nodeId)!.before) {
    const name = `node_${id}` as const
    if (Object.hasOwn(context, name)) known[name] = context[name]
  }
  return known
}
