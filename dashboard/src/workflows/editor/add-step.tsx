import { type KeyboardEvent, useState } from 'react'
import { developers } from '../../api/roles.ts'
import { nameRoles, useHasRole } from '../../session/me.ts'
import { DialogButton } from '../../ui/dialog/dialog.tsx'
import { moveInItems } from '../../ui/dialog/move-in-items.ts'
import { Select } from '../../ui/form/field.tsx'
import { addStep, branchesOf } from '../graph/edit.ts'
import { type Branch, type Graph, stepOf } from '../graph/graph.ts'
import { stepOptions } from '../graph/names.ts'
import { outlineOf } from '../graph/outline.ts'
import { type StepType, type StepTypes, triggerOf } from '../workflow.ts'

type Props = {
  graph: Graph
  types: StepTypes
  selected: string | undefined
  onAdd: (graph: Graph, id: string) => void
}

/** Adds a step after the selected one, or after the last. */
export function AddStep(props: Props) {
  return (
    <DialogButton name="Add step" isWide shortcut="a">
      {(close) => (
        <AddForm
          {...props}
          onAdd={(graph, id) => {
            close()
            props.onAdd(graph, id)
          }}
        />
      )}
    </DialogButton>
  )
}

function AddForm({ graph, types, selected, onAdd }: Props) {
  const steps = outlineOf(graph).map(({ step }) => step)
  const [afterId, setAfter] = useState(stepOf(graph, selected)?.id ?? steps.at(-1)?.id ?? '')
  const after = stepOf(graph, afterId)
  const branches = branchesOf(after && types.get(after.type))
  const [chosenBranch, setBranch] = useState<Branch>('true')
  const branch = branches[0] === null ? null : chosenBranch
  const hasTrigger = triggerOf(graph, types) !== undefined
  const add = (type: StepType) => {
    const added = addStep(graph, type, after ? { id: after.id, branch } : null)
    onAdd(added.graph, added.id)
  }
  const ofKind = (kind: StepType['kind']) => [...types.values()].filter((type) => type.kind === kind)
  return (
    <div className="form">
      {steps.length > 0 && (
        <div className="form-row">
          <Select label="After" options={stepOptions(steps, graph, types)} value={afterId} onChoose={setAfter} />
          {branch !== null && <BranchSelect value={branch} onChange={setBranch} />}
        </div>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: hears the keys of the buttons inside */}
      <div className="form" onKeyDown={moveInTypes}>
        {!hasTrigger && <Choice name="Triggers" types={ofKind('trigger')} onChoose={add} />}
        <Choice name="Actions" types={ofKind('action')} onChoose={add} />
      </div>
    </div>
  )
}

function moveInTypes(event: KeyboardEvent<HTMLDivElement>): void {
  moveInItems(event, [...event.currentTarget.querySelectorAll<HTMLElement>('.step-type:enabled')])
}

export function BranchSelect({ value, onChange }: { value: Branch; onChange: (branch: Branch) => void }) {
  return (
    <Select
      label="Path"
      options={[
        { value: 'true', label: 'If true' },
        { value: 'false', label: 'If false' },
      ]}
      value={value}
      onChoose={onChange}
    />
  )
}

function Choice({ name, types, onChoose }: { name: string; types: StepType[]; onChoose: (type: StepType) => void }) {
  const mayAll = useHasRole(developers)
  return (
    <section aria-label={name} className="section">
      <h3>{name}</h3>
      <ul className="step-types">
        {types.map((type) => {
          const isClosed = !mayAll && type.restricted
          return (
            <li key={type.type}>
              <button type="button" className="step-type" disabled={isClosed} onClick={() => onChoose(type)}>
                <span className="step-name">{type.title}</span>
                <span className="small muted">
                  {isClosed ? `${nameRoles(developers)} may add this.` : type.description}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
