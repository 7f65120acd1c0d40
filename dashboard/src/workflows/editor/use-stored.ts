import { useRef, useState } from 'react'
import { changeLatest } from '../../api/change-latest.ts'
import { changed, client } from '../../api/client.ts'
import { get, post } from '../../api/request.ts'
import { oneOf } from '../../api/use-one.ts'
import { type Checked, faultsOfRefusal } from '../faults.ts'
import { type Graph, isSameGraph } from '../graph/graph.ts'
import type { Workflow } from '../workflow.ts'

/**
 * Reads the stored workflow: the graph that the editor began with, a later save by somebody else, and the faults.
 * `show` shows another graph in place of the editor's.
 */
export function useStored(workflow: Workflow, graph: Graph, begun: Graph, show: (graph: Graph) => void) {
  const [base, setBase] = useState<Graph>(begun)
  const [theirs, setTheirs] = useState<Workflow | null>(null)
  const [checked, setChecked] = useState<Checked | null>(null)
  const isChanged = !isSameGraph(graph, base)
  const latest = useRef({ isChanged, base })
  latest.current = { isChanged, base }

  function note(fresh: Workflow) {
    client.setQueryData(oneOf('/v1/workflows/:id', { id: workflow.id }).queryKey, fresh)
    changed('workflows')
  }

  /**
   * Takes over what the server has, if nothing would be lost. Otherwise tells that somebody else changed it, and
   * returns false.
   */
  function follow(fresh: Workflow): boolean {
    if (isSameGraph(fresh, latest.current.base)) return true
    if (latest.current.isChanged) {
      setTheirs(fresh)
      return false
    }
    setBase(fresh)
    setTheirs(null)
    show(fresh)
    return true
  }

  async function check(stored: Graph): Promise<boolean> {
    const { faults } = await post('/v1/workflows/:id/check', { id: workflow.id })
    setChecked({ faults, graph: stored })
    return faults.length === 0
  }

  /** Saves and checks. Returns false if the graph was refused, or changed by somebody else, which is told then. */
  async function save(isForced: boolean): Promise<boolean> {
    let isOther = false
    const fresh = await changeLatest('/v1/workflows/:id', { id: workflow.id }, (now) => {
      isOther = !isForced && !isSameGraph(now, latest.current.base)
      return isOther || isSameGraph(now, graph) ? null : graph
    }).catch(noteRefusal)
    if (fresh === null) return false
    if (isOther) {
      setTheirs(fresh)
      return false
    }
    note(fresh)
    setBase(fresh)
    setTheirs(null)
    await check(graph)
    return true
  }

  /** Keeps the faults for which the graph was refused, to show them at their steps. Throws other failures. */
  function noteRefusal(error: unknown): null {
    const faults = faultsOfRefusal(error, graph)
    if (!faults) throw error
    setChecked({ faults, graph, isRefused: true })
    return null
  }

  /**
   * Switches the workflow on or off. The endpoint toggles, so what it is now is asked first. What somebody else saved
   * meanwhile is shown before it is switched on; switching off never waits for that.
   */
  async function switchTo(isActive: boolean): Promise<boolean> {
    if (isActive && isChanged && !(await save(false))) return false
    const now = await get('/v1/workflows/:id', { id: workflow.id })
    if (isActive && !(follow(now) && (await check(now)))) return false
    const isSwitched = (now.status === 'active') === isActive
    const fresh = isSwitched ? now : await post('/v1/workflows/:id/activate', { id: workflow.id })
    note(fresh)
    follow(fresh)
    return true
  }

  return { base, setBase, theirs, setTheirs, checked, isChanged, follow, save, switchTo }
}
