import type { Connection } from '../../../graph/graph.ts'
import type { NodeStatus, Taken } from '../../../table.ts'
import type { Plan } from './plan.ts'

/** The state of a node that has begun or was skipped. A node without a state is pending. */
export type NodeState = { status: NodeStatus; branch: Taken }

type Decision = {
  /** Nodes that may begin now, in the order of the plan. */
  ready: string[]
  /** Nodes that no path can reach any more. */
  skipped: string[]
  /** Set once nothing runs, waits, or can begin; after a failure, once nothing runs. */
  over: 'completed' | 'failed' | null
}

/**
 * Decides which nodes begin and which are skipped. A node begins once all nodes that lead to it are settled and at
 * least one path to it was taken; without such a path it is skipped. After a failure no node begins, and the execution
 * is over when none is running.
 */
export function decide({ roots, nodes }: Plan, states: ReadonlyMap<string, NodeState>): Decision {
  const ready: string[] = []
  const skipped = new Set<string>()
  let running = false
  let waiting = false
  let failed = false
  for (const state of states.values()) {
    if (state.status === 'running') running = true
    else if (state.status === 'waiting') waiting = true
    else if (state.status === 'failed') failed = true
  }
  if (failed) return { ready, skipped: [], over: running ? null : 'failed' }
  for (const { id, incoming } of nodes) {
    if (states.has(id)) continue
    const paths = incoming.map((path) => (roots.has(path.source) ? 'taken' : pathOf(path, states, skipped)))
    if (paths.includes('open')) continue
    if (paths.includes('taken')) ready.push(id)
    else skipped.add(id)
  }
  const over = running || waiting || ready.length > 0 ? null : 'completed'
  return { ready, skipped: [...skipped], over }
}

function pathOf(
  { source, branch }: Connection,
  states: ReadonlyMap<string, NodeState>,
  skipped: ReadonlySet<string>,
): 'open' | 'taken' | 'closed' {
  const state = states.get(source)
  if (state?.status === 'completed') return state.branch === null || state.branch === branch ? 'taken' : 'closed'
  return state?.status === 'skipped' || skipped.has(source) ? 'closed' : 'open'
}
