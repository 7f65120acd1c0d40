import { useState } from 'react'
import { useKeep } from '../../drafts/use-keep.tsx'
import { type Draft, WithDraft } from '../../drafts/with-draft.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeEditor } from '../../ui/code/code-editor.tsx'
import { DialogButton } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import type { Workflow } from '../workflow.ts'
import type { EditorState } from './use-editor.ts'
import { useRun } from './use-run.ts'

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
  const isActive = workflow.status === 'active'
  const running = useRun({ workflow, editor, data, vars, onDone, onStarted: () => saved() })
  const { faults, dropFault, error, isBusy, submit } = running
  const isChanged = data !== '{}' || vars !== '{}'
  const { notice, saved } = useKeep(draft, { value: { data, vars }, isChanged, isBusy })
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
        onChange={(text) => {
          setData(text)
          dropFault('data')
        }}
        fault={faults.data}
      />
      <CodeEditor
        label="Variables"
        language="json"
        height={96}
        hint="{{vars.…}} in settings of steps."
        isOptional
        value={vars}
        onChange={(text) => {
          setVars(text)
          dropFault('vars')
        }}
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
