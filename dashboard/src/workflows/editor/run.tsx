import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { post } from '../../api/call.ts'
import { changed } from '../../api/client.ts'
import { useKeep } from '../../drafts/use-keep.tsx'
import { type Draft, WithDraft } from '../../drafts/with-draft.tsx'
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
      {(close) => (
        <WithDraft page={`workflows/${props.workflow.id}/run`}>
          {(draft) => <RunForm {...props} draft={draft} onDone={close} />}
        </WithDraft>
      )}
    </DialogButton>
  )
}

function RunForm({ workflow, editor, draft, onDone }: Props & { draft: Draft; onDone: () => void }) {
  const found = draft.found?.value as { data?: string; vars?: string } | undefined
  const [data, setData] = useState(found?.data ?? '{}')
  const [vars, setVars] = useState(found?.vars ?? '{}')
  const [faults, setFaults] = useState<{ data?: string; vars?: string }>({})
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()
  const isActive = workflow.status === 'active'
  const isChanged = data !== '{}' || vars !== '{}'
  const { notice, saved } = useKeep(draft, { value: { data, vars }, isChanged, isBusy })
  async function run() {
    const [triggerData, variables] = [readObject(data), readObject(vars)]
    setFaults({ ...(!triggerData && { data: notObject }), ...(!variables && { vars: notObject }) })
    if (!triggerData || !variables) return
    // The faults that keep it from being activated stand in the page.
    if (!isActive && !(await editor.switchTo(true))) return onDone()
    const path = `${workflowsPath}/${workflow.id}/executions`
    const { id } = await post<{ id: string }>(path, { triggerData, vars: variables })
    saved()
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
      {notice}
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
