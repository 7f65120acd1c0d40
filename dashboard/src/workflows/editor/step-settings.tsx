import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef } from 'react'
import { nameMax } from '../../../../src/workflows/graph/graph.ts'
import { Button } from '../../ui/button/button.tsx'
import { CopyButton } from '../../ui/button/copy.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Empty } from '../../ui/frame/states.tsx'
import type { StepFault } from '../faults.ts'
import { changeStep, removeStep } from '../graph/edit.ts'
import { type Config, canonical, type Graph, type Step, stepOf } from '../graph/graph.ts'
import { ConfigField } from '../settings/config-field.tsx'
import { GroupFields } from '../settings/group-fields.tsx'
import { offersFor } from '../settings/offers.ts'
import { kindOf, type Schema } from '../settings/schema.ts'
import { SettingsContext } from '../settings/settings.ts'
import type { StepTypes } from '../workflow.ts'
import { focusBesideChosenStep, focusChosenStep } from './steps.tsx'
import { ConnectStep, MoveStep, Next } from './wiring.tsx'

type Props = {
  graph: Graph
  types: StepTypes
  selected: string | undefined
  /** A step that was just added: the focus goes to its first field. */
  added: RefObject<string | undefined>
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
    <section aria-label="Step settings" className="step-settings" onKeyDown={leaveForOutline}>
      {step ? (
        <Settings key={step.id} {...props} isChosen={isChosen} />
      ) : (
        props.graph.nodes.length > 0 && <Empty title="Choose a step to see its settings" />
      )}
    </section>
  )
}

/** Escape leads from the settings back to the step in the outline. */
function leaveForOutline(event: KeyboardEvent): void {
  const isInDialog = event.target instanceof Element && event.target.closest('dialog') !== null
  if (event.key === 'Escape' && !event.defaultPrevented && !isInDialog) focusChosenStep()
}

function Settings(props: Props & { isChosen: boolean }) {
  const { graph, types, selected, added, isReadOnly, onEdit, onSelect, trigger, isChosen } = props
  const step = stepOf(graph, selected)!
  const type = types.get(step.type)
  const form = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const offers = useMemo(() => offersFor(graph, step.id, types), [graph, step.id, types])
  const schema: Schema = type?.configSchema ?? { type: 'object' }
  const faults = sortFaults(props.faults, step.id, schema)
  useEffect(() => {
    if (added.current !== step.id) return
    added.current = undefined
    form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus()
  }, [added, step.id])
  // Below 768 px the settings stand under the steps.
  useEffect(() => {
    if (isChosen && matchMedia('(max-width: 767px)').matches) heading.current?.scrollIntoView({ block: 'start' })
  }, [isChosen])
  return (
    <SettingsContext value={{ stepId: step.id, offers, faults: faults.atFields, isReadOnly, AnyField: ConfigField }}>
      <div className="form" ref={form}>
        <div className="step-head">
          <h2 ref={heading}>{type?.title ?? step.type}</h2>
          {type && <p className="muted">{type.description}</p>}
        </div>
        {faults.ofStep.length > 0 && (
          <ul className="fault">
            {faults.ofStep.map(({ field, message }) => (
              <li key={`${field} ${message}`}>{`This step ${message}`}</li>
            ))}
          </ul>
        )}
        <Field
          label="Name"
          value={step.name}
          maxLength={nameMax}
          readOnly={isReadOnly}
          fault={faults.ofName}
          onChange={({ target }) =>
            onEdit((now) => changeStep(now, step.id, { name: target.value }), `name ${step.id}`)
          }
        />
        <ConfigFields {...{ step, schema, onEdit }} />
        {type?.kind === 'trigger' && trigger}
        {type?.kind === 'action' && <StepId id={step.id} />}
        <Next {...{ graph, step, types, isReadOnly, onEdit, onSelect }} />
        {!isReadOnly && <StepActions {...{ graph, step, types, onEdit, onSelect }} />}
      </div>
    </SettingsContext>
  )
}

/** The faults of a step: that of its name, those at one of its fields, and those that are shown above them. */
function sortFaults(faults: StepFault[], id: string, { properties = {} }: Schema) {
  const own = faults.filter(({ stepId }) => stepId === id)
  const hasField = (field: string | null) => field !== null && Object.hasOwn(properties, field.split(/[.[]/)[0]!)
  return {
    atFields: own.flatMap(({ field, message }) => (field === null ? [] : [{ path: field, message }])),
    ofName: own.find(({ isName }) => isName)?.message,
    ofStep: own.filter(({ field, isName }) => !isName && !hasField(field)),
  }
}

type Edit = Props['onEdit']

/** The fields of the schema, or one rule where the config itself is a rule. */
function ConfigFields({ step, schema, onEdit }: { step: Step; schema: Schema; onEdit: Edit }) {
  const change = (config: unknown) => {
    const next = (config ?? {}) as Config
    const fields = changedFields(step.config, next).join(' ')
    onEdit((now) => changeStep(now, step.id, { config: next }), `config ${step.id} ${fields}`)
  }
  const shared = { schema, path: '', value: step.config, onChange: change }
  if (kindOf(schema) === 'group') return <GroupFields {...shared} />
  if (Object.keys(schema.properties ?? {}).length > 0)
    return <ConfigField {...shared} label="Holds if" isOptional={false} />
  return <p className="muted">This step has nothing to set.</p>
}

/** The names of the fields that differ: what is typed into one field is undone alone. */
function changedFields(before: Config, after: Config): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => canonical(before[name]) !== canonical(after[name]))
}

type ActionsProps = Pick<Props, 'graph' | 'types' | 'onEdit' | 'onSelect'> & { step: Step }

function StepActions({ graph, step, types, onEdit, onSelect }: ActionsProps) {
  return (
    <div className="actions">
      <ConnectStep {...{ graph, step, types, onEdit }} />
      {types.get(step.type)?.kind !== 'trigger' && <MoveStep {...{ graph, step, types, onEdit }} />}
      <Button
        kind="danger"
        onClick={() => {
          // The button goes with the step.
          focusBesideChosenStep()
          onEdit((now) => removeStep(now, step.id))
          onSelect(undefined)
        }}
      >
        Remove step
      </Button>
    </div>
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
