import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { get, patch, post } from '../../api/call.ts'
import { changed, client } from '../../api/client.ts'
import { oneOf } from '../../api/use-one.ts'
import { type Checked, type Fault, standingFaults } from '../faults.ts'
import { type Graph, isSameGraph } from '../graph/graph.ts'
import { beginHistory, changeHistory } from '../graph/history.ts'
import { type Workflow, workflowsPath } from '../workflow.ts'

/** The unsaved graph, and the graph that it began with. */
export type Written = { base: Graph; graph: Graph }

/**
 * The state of an editor: the graph with its history, and what the server has. The server keeps no versions, so a save first looks
 * whether the workflow is still as it was opened.
 */
export function useEditor(workflow: Workflow, found?: Written) {
  const [history, change] = useReducer(changeHistory, undefined, () => begin(workflow, found))
  const [base, setBase] = useState<Graph>(found?.base ?? workflow)
  const [theirs, setTheirs] = useState<Workflow | null>(null)
  const [checked, setChecked] = useState<Checked | null>(null)
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState<string | null>(null)
  const graph = history.now
  const isChanged = !isSameGraph(graph, base)
  const path = `${workflowsPath}/${workflow.id}`
  const latest = useRef({ isChanged, base })
  latest.current = { isChanged, base }
  const isBusy = useRef(false)

  // A later answer of the server: taken over if nothing would be lost, else told.
  useEffect(() => {
    if (isBusy.current || isSameGraph(workflow, latest.current.base)) return
    if (latest.current.isChanged) return setTheirs(workflow)
    setBase(workflow)
    change({ do: 'reset', graph: workflow })
  }, [workflow])

  function take(fresh: Workflow) {
    client.setQueryData(oneOf<Workflow>(workflowsPath, workflow.id).queryKey, fresh)
    setBase(fresh)
    setTheirs(null)
    changed('workflows')
  }

  async function check(at: Graph): Promise<boolean> {
    const { faults } = await post<{ faults: Fault[] }>(`${path}/check`)
    setChecked({ faults, graph: at })
    return faults.length === 0
  }

  /** Saves and checks. Returns false if the workflow was changed by somebody else, which is told then. */
  async function put(isForced: boolean): Promise<boolean> {
    const fresh = await get<Workflow>(path)
    if (!isForced && !isSameGraph(fresh, latest.current.base)) {
      setTheirs(fresh)
      return false
    }
    take(isSameGraph(fresh, graph) ? fresh : await patch<Workflow>(path, graph))
    await check(graph)
    return true
  }

  /** Switches the workflow on or off. The endpoint toggles, so what it is now is asked first. */
  async function switchTo(isActive: boolean): Promise<boolean> {
    if (isActive && isChanged && !(await put(false))) return false
    if (isActive && !(await check(graph))) return false
    const fresh = await get<Workflow>(path)
    take((fresh.status === 'active') === isActive ? fresh : await post<Workflow>(`${path}/activate`))
    return true
  }

  /** Does one thing at a time. A failure is shown on top of the page. */
  async function during(name: string, work: () => Promise<boolean>): Promise<boolean> {
    if (isBusy.current) return false
    isBusy.current = true
    setBusy(name)
    setError(undefined)
    try {
      return await work()
    } catch (thrown) {
      setError(thrown)
      return false
    } finally {
      isBusy.current = false
      setBusy(null)
    }
  }

  return {
    graph,
    written: { base: { nodes: base.nodes, connections: base.connections }, graph } satisfies Written,
    isChanged,
    error,
    busy,
    theirs,
    faults: standingFaults(checked, graph),
    isChecked: checked !== null,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    edit: useCallback(
      (to: (graph: Graph) => Graph, kind?: string) => change({ do: 'change', to, ...(kind && { kind }) }),
      [],
    ),
    undo: useCallback(() => change({ do: 'undo' }), []),
    redo: useCallback(() => change({ do: 'redo' }), []),
    save: (isForced = false) => during('save', () => put(isForced)),
    switchTo: (isActive: boolean) => during('switch', () => switchTo(isActive)),
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
