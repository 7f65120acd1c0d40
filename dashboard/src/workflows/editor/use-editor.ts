import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { useSayIfGone } from '../../ui/dialog/say-if-gone.ts'
import { standingFaults } from '../faults.ts'
import type { Graph } from '../graph/graph.ts'
import { beginHistory, changeHistory } from '../graph/history.ts'
import type { Workflow } from '../workflow.ts'
import { useStored } from './use-stored.ts'

/** The unsaved graph, and the graph that it began with. */
export type Written = { base: Graph; graph: Graph }

/**
 * The state of an editor: the graph with its history, and what the server has. A save first looks whether the workflow
 * is still as it was opened, and again if another person saves at the same moment.
 */
export function useEditor(workflow: Workflow, found?: Written) {
  const [history, change] = useReducer(changeHistory, undefined, () => begin(workflow, found))
  const graph = history.now
  const stored = useStored(workflow, graph, found?.base ?? workflow, (other) => change({ do: 'reset', graph: other }))
  const { base, setBase, theirs, setTheirs } = stored
  const { error, busy, isBusy, run } = useOneAtATime(workflow.name)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another answer is looked at; the rest does the same in each render
  useEffect(() => {
    if (!isBusy()) stored.follow(workflow)
  }, [workflow])

  return {
    graph,
    written: { base: { nodes: base.nodes, connections: base.connections }, graph } satisfies Written,
    isChanged: stored.isChanged,
    error,
    busy,
    theirs,
    faults: standingFaults(stored.checked, graph),
    /** The faults are those for which the last save was refused. */
    isRefused: stored.checked?.isRefused === true,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    edit: useCallback(
      (to: (graph: Graph) => Graph, kind?: string) => change({ do: 'change', to, ...(kind && { kind }) }),
      [],
    ),
    undo: useCallback(() => change({ do: 'undo' }), []),
    redo: useCallback(() => change({ do: 'redo' }), []),
    save(isForced = false) {
      change({ do: 'pause' })
      return run('save', () => stored.save(isForced))
    },
    switchTo(isActive: boolean) {
      change({ do: 'pause' })
      return run('switch', () => stored.switchTo(isActive))
    },
    /** Shows what somebody else saved. *Undo* brings back what was here. */
    loadTheirs() {
      if (!theirs) return
      setBase(theirs)
      change({ do: 'change', to: () => ({ nodes: theirs.nodes, connections: theirs.connections }) })
      setTheirs(null)
    },
  }
}

/** A draft that was kept is a change, so that *Undo* takes it back. */
function begin(workflow: Workflow, found: Written | undefined) {
  if (!found) return beginHistory(workflow)
  return changeHistory(beginHistory(found.base), { do: 'change', to: () => found.graph })
}

export type EditorState = ReturnType<typeof useEditor>

/**
 * Does one thing after the other, in the order in which they are asked for. `run` returns false after a failure, which
 * is then the `error`. `busy` names what is under way or waits.
 */
function useOneAtATime(place: string) {
  const sayIfGone = useSayIfGone()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState<readonly string[]>([])
  const waiting = useRef<readonly string[]>([])
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const note = (names: readonly string[]) => {
    waiting.current = names
    setBusy(names)
  }
  async function work(todo: () => Promise<boolean>): Promise<boolean> {
    setError(undefined)
    try {
      return await todo()
    } catch (thrown) {
      sayIfGone(place, thrown)
      setError(thrown)
      return false
    } finally {
      note(waiting.current.slice(1))
    }
  }
  function run(name: string, todo: () => Promise<boolean>): Promise<boolean> {
    note([...waiting.current, name])
    const done = last.current.then(() => work(todo))
    last.current = done
    return done
  }
  return { error, busy, isBusy: () => waiting.current.length > 0, run }
}
