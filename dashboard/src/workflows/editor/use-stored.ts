import { useRef, useState } from 'react'
import { changeLatest } from '../../api/change-latest.ts'
import { changed, client } from '../../api/client.ts'
import { get, post } from '../../api/request.ts'
import { oneOf } from '../../api/use-one.ts'
import { type Checked, faultsOfRefusal } from '../faults.ts'
import { type Graph, isSameGraph } from '../graph/graph.ts'
import type { Workflow } from '../workflow.ts'

/** Reads the stored workflow: the graph that the editor began with, a later save by somebody else, and the faults. */
export function useStored(workflow: Workflow, graph: Graph, begun: Graph) {
  const [base, setBase] = useState<Graph>(begun)
  const [theirs, setTheirs] = useState<Workflow | null>(null)
  const [checked, setChecked] = useState<Checked | null>(null)
  const isChanged = !isSameGraph(graph, base)
  const latest = useRef({ isChanged, base })
  latest.current = { isChanged, base }

  function take(fresh: Workflow) {
    client.setQueryData(oneOf('/v1/workflows/:id', { id: workflow.id }).queryKey, fresh)
    setBase(fresh)
    setTheirs(null)
    changed('workflows')
  }

  async function check(): Promise<boolean> {
    const { faults } = await post('/v1/workflows/:id/check', { id: workflow.id })
    setChecked({ faults, graph })
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
    take(fresh)
    await check()
    return true
  }

  /** Keeps the faults for which the graph was refused, to show them at their steps. Throws other failures. */
  function noteRefusal(error: unknown): null {
    const faults = faultsOfRefusal(error, graph)
    if (!faults) throw error
    setChecked({ faults, graph, isRefused: true })
    return null
  }

  /** Switches the workflow on or off. The endpoint toggles, so what it is now is asked first. */
  async function switchTo(isActive: boolean): Promise<boolean> {
    if (isActive && isChanged && !(await save(false))) return false
    if (isActive && !(await check())) return false
    const fresh = await get('/v1/workflows/:id', { id: workflow.id })
    take(
      (fresh.status === 'active') === isActive ? fresh : await post('/v1/workflows/:id/activate', { id: workflow.id }),
    )
    return true
  }

  return { base, setBase, theirs, setTheirs, checked, isChanged, latest, save, switchTo }
}
