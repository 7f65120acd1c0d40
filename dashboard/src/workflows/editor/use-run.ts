import { useState } from 'react'
import { post } from '../../api/call.ts'
import { changed } from '../../api/client.ts'
import { parseJson } from '../../api/exact-json.ts'
import { useGo } from '../../ui/use-go.ts'
import { type Workflow, workflowsPath } from '../workflow.ts'
import type { EditorState } from './use-editor.ts'

type Run = {
  workflow: Workflow
  editor: EditorState
  /** JSON texts. */
  data: string
  vars: string
  onStarted: () => void
  onDone: () => void
}

/** Starts an execution with what is typed, and shows it. A workflow that is not active is activated first. */
export function useRun({ workflow, editor, data, vars, onStarted, onDone }: Run) {
  const [faults, setFaults] = useState<{ data?: string | undefined; vars?: string | undefined }>({})
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const go = useGo()
  async function run() {
    const [triggerData, variables] = [readObject(data), readObject(vars)]
    setFaults({ ...(!triggerData && { data: notObject }), ...(!variables && { vars: notObject }) })
    if (!triggerData || !variables) return
    // The faults that keep it from being activated stand in the page.
    if (workflow.status !== 'active' && !(await editor.switchTo(true))) return onDone()
    const path = `${workflowsPath}/${workflow.id}/executions`
    const { id } = await post<{ id: string }>(path, { triggerData, vars: variables })
    onStarted()
    changed('workflows')
    await go(`/workflows/${workflow.id}/executions/${id}`)
  }
  async function submit() {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await run()
    } catch (thrown) {
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }
  const dropFault = (field: 'data' | 'vars') => setFaults((before) => ({ ...before, [field]: undefined }))
  return { faults, dropFault, error, isBusy, submit }
}

const notObject = 'Write a JSON object, such as {"email": "ada@example.com"}.'

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = parseJson(text.trim() || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
