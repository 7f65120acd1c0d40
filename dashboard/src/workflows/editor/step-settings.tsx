import { useEffect, useMemo, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Field } from '../../ui/field.tsx'
import { Empty } from '../../ui/states.tsx'
import type { StepFault } from '../faults.ts'
import { changeStep, removeStep } from '../graph/edit.ts'
import { type Config, type Graph, stepOf } from '../graph/graph.ts'
import { ConfigField, GroupFields } from '../settings/config-field.tsx'
import { offersFor } from '../settings/offers.ts'
import { kindOf, type Schema } from '../settings/schema.ts'
import { SettingsContext } from '../settings/settings.ts'
import { nameMax, type StepTypes } from '../workflow.ts'
import { ConnectStep, MoveStep, Next } from './wiring.tsx'

type Props = {
  graph: Graph
  types: StepTypes
  selected: string | undefined
  faults: StepFault[]
  isReadOnly: boolean
  onEdit: (to: (graph: Graph) => Graph, kind?: string) => void
  onSelect: (id: string | undefined) => void
  /** Shown below the settings of a trigger. */
  trigger?: React.ReactNode
}

/** The settings of the selected step, drawn from the schema of its type. */
export function StepSettings(props: Props) {
  const step = stepOf(props.graph, props.selected)
  // A page begins at its top, also where the address names a step.
  const first = useRef(props.selected)
  const isChosen = step !== undefined && step.id !== first.current
  if (isChosen) first.current = undefined
  return (
    <section aria-label="Step settings" className="step-settings">
      {step ? (
        <Settings key={step.id} {...props} isChosen={isChosen} />
      ) : (
        props.graph.nodes.length > 0 && <Empty title="Choose a step to see its settings" />
      )}
    </section>
  )
}

function Settings({
  graph,
  types,
  selected,
  faults,
  isReadOnly,
  onEdit,
  onSelect,
  trigger,
  isChosen,
}: Props & { isChosen: boolean }) {
  const step = stepOf(graph, selected)!
  const type = types.get(step.type)
  const heading = useRef<HTMLHeadingElement>(null)
  const offers = useMemo(() => offersFor(graph, step.id, types), [graph, step.id, types])
  const own = faults.filter(({ stepId }) => stepId === step.id)
  const schema: Schema = type?.configSchema ?? { type: 'object' }
  const names = Object.keys(schema.properties ?? {})
  const isAtField = ({ field }: StepFault) => field !== null && names.includes(field.split(/[.[]/)[0]!)
  const atFields = own.flatMap(({ field, message }) => (field === null ? [] : [{ path: field, message }]))
  const setConfig = (config: unknown) =>
    onEdit((now) => changeStep(now, step.id, { config: (config ?? {}) as Config }), `config ${step.id}`)
  // Below 768 px the settings stand under the steps.
  useEffect(() => {
    if (isChosen && matchMedia('(max-width: 767px)').matches) heading.current?.scrollIntoView({ block: 'start' })
  }, [isChosen])
  return (
    <SettingsContext value={{ stepId: step.id, offers, faults: atFields, isReadOnly }}>
      <div className="form">
        <div className="step-head">
          <h2 ref={heading}>{type?.title ?? step.type}</h2>
          {type && <p className="muted">{type.description}</p>}
        </div>
        {own.some((fault) => !isAtField(fault)) && (
          <ul className="fault">
            {own
              .filter((fault) => !isAtField(fault))
              .map(({ field, message }) => (
                <li key={`${field} ${message}`}>{`This step ${message}`}</li>
              ))}
          </ul>
        )}
        <Field
          label="Name"
          value={step.name}
          maxLength={nameMax}
          readOnly={isReadOnly}
          onChange={({ target }) =>
            onEdit((now) => changeStep(now, step.id, { name: target.value }), `name ${step.id}`)
          }
        />
        {kindOf(schema) === 'group' ? (
          <GroupFields schema={schema} path="" value={step.config} onChange={setConfig} />
        ) : names.length > 0 ? (
          <ConfigField
            schema={schema}
            label="Holds if"
            path=""
            value={step.config}
            isOptional={false}
            onChange={setConfig}
          />
        ) : (
          <p className="muted">This step has nothing to set.</p>
        )}
        {type?.kind === 'trigger' && trigger}
        {type?.kind === 'action' && <StepId id={step.id} />}
        <Next {...{ graph, step, types, isReadOnly, onEdit, onSelect }} />
        {!isReadOnly && (
          <div className="actions">
            <ConnectStep {...{ graph, step, types, onEdit }} />
            {type?.kind !== 'trigger' && <MoveStep {...{ graph, step, types, onEdit }} />}
            <Button
              kind="danger"
              onClick={() => {
                onEdit((now) => removeStep(now, step.id))
                onSelect(undefined)
              }}
            >
              Remove step
            </Button>
          </div>
        )}
      </div>
    </SettingsContext>
  )
}

/** How later steps name the output of this one. */
function StepId({ id }: { id: string }) {
  const name = `{{node_${id}}}`
  return (
    <p className="small muted copied">
      <span>
        Later steps read its output as <code>{name}</code>
      </span>
      <CopyButton text={name} name="Copy output name" isSmall />
    </p>
  )
}
