import { useCallback, useMemo, useRef } from 'react'
import { developers } from '../../api/roles.ts'
import { nameRoles, useMay, whoMay } from '../../session/me.ts'
import { Status } from '../../status/status.tsx'
import { useKeep } from '../../typing/use-keep.tsx'
import type { Kept } from '../../typing/with-kept.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { Empty } from '../../ui/frame/states.tsx'
import { useAddress } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import { LazyCanvas } from '../canvas/lazy-canvas.tsx'
import type { Graph } from '../graph/graph.ts'
import { type StepTypes, useMayChange, type Workflow } from '../workflow.ts'
import { AddStep } from './add-step.tsx'
import { Notices } from './notices.tsx'
import { StepSettings } from './step-settings.tsx'
import { Steps } from './steps.tsx'
import { Toolbar } from './toolbar.tsx'
import { TriggerAddress } from './trigger-address.tsx'
import { type EditorState, useEditor, type Written } from './use-editor.ts'

/** Why a workflow cannot be edited, or null. */
function useLock(workflow: Workflow): string | null {
  const mayWrite = useMay('PATCH /v1/workflows/:id')
  const mayChange = useMayChange(workflow)
  if (!mayWrite) return `${whoMay('PATCH /v1/workflows/:id')} may change workflows.`
  if (!mayChange) return `${nameRoles(developers)} may change this workflow, since it runs code or makes HTTP requests.`
  return workflow.status === 'active'
    ? 'An active workflow cannot be changed. Deactivate it first; executions under way go on.'
    : null
}

type Props = { workflow: Workflow; types: StepTypes; kept: Kept }

export function Editor({ workflow, types, kept }: Props) {
  const editor = useEditor(workflow, kept.found?.value as Written | undefined)
  const lock = useLock(workflow)
  const { keptNotice } = useKeep(kept, { value: editor.written, isChanged: editor.isChanged, isBusy: false })
  const [{ step: selected }, setAddress] = useAddress()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function does the same in each render
  const select = useCallback((id: string | undefined) => setAddress({ step: id }), [])
  return (
    <Page
      title={workflow.name}
      above={
        <>
          <Go to="/workflows">Workflows</Go> / <Status of={workflow.status} />
        </>
      }
      actions={<Toolbar {...{ workflow, editor, isReadOnly: lock !== null }} onDeleted={kept.forget} />}
    >
      {workflow.description && <p className="muted">{workflow.description}</p>}
      {lock && <p className="muted">{lock}</p>}
      {keptNotice}
      <Notices editor={editor} types={types} onSelect={select} />
      <Parts {...{ workflow, types, editor, selected, onSelect: select, isReadOnly: lock !== null }} />
    </Page>
  )
}

type PartsProps = {
  workflow: Workflow
  types: StepTypes
  editor: EditorState
  selected: string | undefined
  onSelect: (id: string | undefined) => void
  isReadOnly: boolean
}

/** The outline of a workflow, the settings of the selected step, and the canvas. */
function Parts({ workflow, types, editor, selected, onSelect, isReadOnly }: PartsProps) {
  const { graph, edit, faults } = editor
  const faultCounts = useMemo(() => countFaults(faults), [faults])
  /** The step whose settings take the focus when they are shown. */
  const added = useRef<string>(undefined)
  const put = (next: Graph, id: string) => {
    added.current = id
    edit(() => next)
    onSelect(id)
  }
  return (
    <div className="editor">
      <div className="editor-steps">
        <div className="editor-head">
          <h2>Steps</h2>
          {!isReadOnly && <AddStep {...{ graph, types, selected, onAdd: put }} />}
        </div>
        {graph.nodes.length === 0 ? (
          <Empty title="No steps yet">
            <p>Begin with a trigger: what starts the workflow. Then add what it does.</p>
          </Empty>
        ) : (
          <Steps {...{ graph, types, selected, onSelect, faults: faultCounts }} />
        )}
      </div>
      {/* Before the canvas, so that the steps of the canvas are not between the outline and the settings for the keyboard. */}
      <StepSettings
        {...{ graph, types, selected, added, faults, isReadOnly, onEdit: edit, onSelect }}
        trigger={<TriggerAddress workflow={workflow} />}
      />
      <LazyCanvas
        {...{ graph, types, selected, onSelect, faults: faultCounts }}
        {...(!isReadOnly && { onEdit: edit })}
      />
    </div>
  )
}

function countFaults(faults: { stepId: string | null }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { stepId } of faults) if (stepId) counts.set(stepId, (counts.get(stepId) ?? 0) + 1)
  return counts
}
