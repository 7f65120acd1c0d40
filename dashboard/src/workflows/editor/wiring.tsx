import { useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { DialogButton } from '../../ui/dialog/dialog.tsx'
import { Select } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { branchesOf, connect, disconnect, moveStep, possibleTargets } from '../graph/edit.ts'
import { type Branch, type Graph, type Step, stepOf } from '../graph/graph.ts'
import { ownNameOfStep, stepOptions } from '../graph/names.ts'
import { outlineOf } from '../graph/outline.ts'
import type { StepTypes } from '../workflow.ts'
import { BranchSelect } from './add-step.tsx'

type Edit = (to: (graph: Graph) => Graph, kind?: string) => void
type Props = { graph: Graph; step: Step; types: StepTypes; onEdit: Edit }

/** The steps that follow, each with a button that disconnects it. */
export function Next({
  graph,
  step,
  types,
  isReadOnly,
  onEdit,
  onSelect,
}: Props & { isReadOnly: boolean; onSelect: (id: string) => void }) {
  const outgoing = graph.connections.filter(({ source }) => source === step.id)
  if (outgoing.length === 0) return null
  return (
    <div className="section">
      <h3>Leads to</h3>
      <ul className="next-steps">
        {outgoing.map((connection) => {
          const target = stepOf(graph, connection.target)
          const name = target ? ownNameOfStep(target, graph, types) : connection.target
          return (
            <li key={connection.id}>
              <Button kind="quiet" onClick={() => onSelect(connection.target)}>
                {name}
              </Button>
              {connection.branch && <span className="small muted">if {connection.branch}</span>}
              {!isReadOnly && (
                <Button
                  kind="quiet"
                  icon="close"
                  label={`Disconnect ${name}`}
                  onClick={() => onEdit((now) => disconnect(now, connection))}
                />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

export function ConnectStep(props: Props) {
  return <DialogButton name="Connect step">{(close) => <ConnectForm {...props} onDone={close} />}</DialogButton>
}

function ConnectForm({ graph, step, types, onEdit, onDone }: Props & { onDone: () => void }) {
  const [chosenBranch, setBranch] = useState<Branch>('true')
  const branch = branchesOf(types.get(step.type))[0] === null ? null : chosenBranch
  const from = { id: step.id, branch }
  const targets = possibleTargets(graph, from, ({ type }) => types.get(type)?.kind === 'trigger')
  const [chosen, setChosen] = useState('')
  const target = targets.find(({ id }) => id === chosen) ?? targets[0]
  const form = useForm({}, async () => {
    if (target) onEdit((now) => connect(now, from, target.id))
    onDone()
  })
  return (
    <Form form={form} verb="Connect" disabled={!target}>
      {branch !== null && <BranchSelect value={branch} onChange={setBranch} />}
      {target ? (
        <Select label="To" options={stepOptions(targets, graph, types)} value={target.id} onChoose={setChosen} />
      ) : (
        <p>{ownNameOfStep(step, graph, types)} can lead to no other step without making a loop.</p>
      )}
    </Form>
  )
}

export function MoveStep(props: Props) {
  return <DialogButton name="Move step">{(close) => <MoveForm {...props} onDone={close} />}</DialogButton>
}

function MoveForm({ graph, step, types, onEdit, onDone }: Props & { onDone: () => void }) {
  const places = outlineOf(graph)
    .map((line) => line.step)
    .filter(({ id }) => id !== step.id)
  const [chosen, setChosen] = useState(places[0]?.id ?? '')
  const [chosenBranch, setBranch] = useState<Branch>('true')
  const after = stepOf(graph, chosen)
  const branch = branchesOf(after && types.get(after.type))[0] === null ? null : chosenBranch
  const hasBranches = (types.get(step.type)?.branches.length ?? 0) > 0
  const form = useForm({}, async () => {
    if (after) onEdit((now) => moveStep(now, step.id, { id: after.id, branch }, hasBranches))
    onDone()
  })
  return (
    <Form form={form} verb="Move">
      <Select label="After" options={stepOptions(places, graph, types)} value={chosen} onChoose={setChosen} />
      {branch !== null && <BranchSelect value={branch} onChange={setBranch} />}
    </Form>
  )
}
