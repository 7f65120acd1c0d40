import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { post } from '../../api/call.ts'
import { changed } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { CodeEditor } from '../../ui/code/code-editor.tsx'
import { DialogButton } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { type Workflow, workflowsPath } from '../workflow.ts'
import type { EditorState } from './use-editor.ts'

type Props = { workflow: Workflow; editor: EditorState }

/** Starts an execution with data of one's own, and shows it. */
export function RunWorkflow(props: Props) {
  return (
    <DialogButton name="Run" isWide>
      {(close) => <RunForm {...props} onDone={close} />}
    </DialogButton>
  )
}

function RunForm({ workflow, editor, onDone }: Props & { onDone: () => void }) {
  const [data, setData] = useState('{}')
  const [vars, setVars] = useState('{}')
  const [faults, setFaults] = useState<{ data?: string; vars?: string }>({})
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()
  const isActive = workflow.status === 'active'
  async function run() {
    const [triggerData, variables] = [readObject(data), readObject(vars)]
    setFaults({ ...(!triggerData && { data: notObject }), ...(!variables && { vars: notObject }) })
    if (!triggerData || !variables) return
    // The faults that keep it from being activated stand in the page.
    if (!isActive && !(await editor.switchTo(true))) return onDone()
    const path = `${workflowsPath}/${workflow.id}/executions`
    const { id } = await post<{ id: string }>(path, { triggerData, vars: variables })
    changed('workflows')
    await navigate({ to: `/workflows/${workflow.id}/executions/${id}` as never })
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
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Fault error={error} />
      {!isActive && <p>The workflow is not active. It is saved and activated first, and stays active.</p>}
      <CodeEditor
        label="Trigger data"
        language="json"
        height={160}
        hint="What the trigger would give: {{trigger.…}} in settings of steps."
        value={data}
        onChange={setData}
        fault={faults.data}
      />
      <CodeEditor
        label="Variables"
        language="json"
        height={96}
        hint="{{vars.…}} in settings of steps."
        isOptional
        value={vars}
        onChange={setVars}
        fault={faults.vars}
      />
      <div className="dialog-actions">
        <Button type="submit" kind="main" isBusy={isBusy}>
          {isActive ? 'Run' : 'Activate and run'}
        </Button>
      </div>
    </form>
  )
}

const notObject = 'Write a JSON object, such as {"email": "ada@example.com"}.'

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.trim() || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
