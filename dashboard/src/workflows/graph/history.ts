import type { Graph } from './graph.ts'

const stepsMax = 200

/**
 * A graph with what it was before and what was undone. `kind` names the last change, so that typing is undone in one
 * step.
 */
type History = { now: Graph; past: Graph[]; future: Graph[]; kind: string | null }

type Change =
  | { do: 'change'; to: (graph: Graph) => Graph; kind?: string }
  | { do: 'undo' }
  | { do: 'redo' }
  /** Makes the next change a step of its own, such as after a save. */
  | { do: 'pause' }
  /** Begins anew with a graph of the server. */
  | { do: 'reset'; graph: Graph }

export function beginHistory(graph: Graph): History {
  return { now: { nodes: graph.nodes, connections: graph.connections }, past: [], future: [], kind: null }
}

export function changeHistory(history: History, change: Change): History {
  const { now, past, future } = history
  if (change.do === 'reset') return beginHistory(change.graph)
  if (change.do === 'pause') return history.kind === null ? history : { ...history, kind: null }
  if (change.do === 'undo') {
    const before = past.at(-1)
    return before ? { now: before, past: past.slice(0, -1), future: [now, ...future], kind: null } : history
  }
  if (change.do === 'redo') {
    const [next, ...later] = future
    return next ? { now: next, past: [...past, now], future: later, kind: null } : history
  }
  const next = change.to(now)
  if (next === now) return history
  const isSameKind = change.kind !== undefined && change.kind === history.kind && past.length > 0
  return { now: next, past: isSameKind ? past : [...past, now].slice(-stepsMax), future: [], kind: change.kind ?? null }
}
