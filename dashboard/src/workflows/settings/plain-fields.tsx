import type { ChangeEvent } from 'react'
import { readNumber } from '../../api/exact-json.ts'
import { Field, Group, type Option, Select, Tick } from '../../ui/form/field.tsx'
import { sentence } from '../../ui/text/words.ts'
import { type FieldProps, useControl, useFault, useSettings } from './settings.ts'

/** One of a few values. */
export function ChoiceField(props: FieldProps) {
  const { schema, value, isOptional, onChange } = props
  const known = (schema.enum ?? []).map(String)
  const none =
    schema.default === undefined
      ? isOptional
        ? 'Not set'
        : 'Choose one'
      : `${wordOf(String(schema.default))} (default)`
  const options = [{ value: '', label: none }, ...known.map((one) => ({ value: one, label: wordOf(one) }))]
  return <Choice {...{ props, options }} value={textOf(value)} onChoose={(next) => onChange(next || undefined)} />
}

/** `POST` stays as it is; `greater_than` is *Greater than*. */
function wordOf(value: string): string {
  return value === value.toUpperCase() ? value : sentence(value)
}

/** Some of a few values, a checkbox each. Of two names for the same, the short one is shown. */
export function ChoicesField({ schema, label, path, value, onChange }: FieldProps) {
  const { isReadOnly } = useSettings()
  const fault = useFault(path)
  const chosen = Array.isArray(value) ? value.map(String) : []
  const known = (schema.items?.enum ?? []).map(String)
  const isLong = (one: string) => known.includes(one.slice(one.indexOf('.') + 1)) && one.includes('.')
  const shown = known.filter((one) => !isLong(one) || chosen.includes(one))
  const toggle = (one: string, isOn: boolean) => {
    const next = isOn ? [...chosen, one] : chosen.filter((other) => other !== one)
    onChange(next.length === 0 ? undefined : next)
  }
  return (
    <Group label={label} fault={fault}>
      {schema.description && <p className="small muted">{schema.description}</p>}
      <div className="choices">
        {shown.map((one) => (
          <Tick
            key={one}
            label={wordOf(one)}
            checked={chosen.includes(one)}
            disabled={isReadOnly}
            onChange={(event) => toggle(one, event.target.checked)}
          />
        ))}
      </div>
    </Group>
  )
}

export function NumberField(props: FieldProps) {
  const { schema, value, onChange } = props
  const { isReadOnly } = useSettings()
  return (
    <Field
      {...useControl(props)}
      type="number"
      step={schema.type === 'integer' ? 1 : 'any'}
      value={value === undefined ? '' : String(value)}
      readOnly={isReadOnly}
      onChange={({ target }) => onChange(target.value === '' ? undefined : readNumber(target.value))}
    />
  )
}

const answers = [
  { value: '', label: 'Not set' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

export function BooleanField(props: FieldProps) {
  const { value, onChange } = props
  const put = (next: string) => onChange(next === '' ? undefined : next === 'true')
  return <Choice {...{ props, options: answers }} value={textOf(value)} onChoose={put} />
}

type ChoiceProps = { props: FieldProps; options: Option[]; value: string; onChoose: (value: string) => void }

/** The menu of a field. A value that is none of the options, such as a placeholder, is one as it is written. */
export function Choice({ props, options, value, onChoose }: ChoiceProps) {
  const { isReadOnly } = useSettings()
  const choose = ({ target }: ChangeEvent<HTMLSelectElement>) => onChoose(target.value)
  const isKnown = value === '' || options.some((option) => option.value === value)
  const shown = isKnown ? options : [...options, { value, label: value }]
  return <Select {...useControl(props)} options={shown} value={value} disabled={isReadOnly} onChange={choose} />
}

function textOf(value: unknown): string {
  return value === undefined ? '' : String(value)
}
