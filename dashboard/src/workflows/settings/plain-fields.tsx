import { readNumber } from '../../api/exact-json.ts'
import { Field, Group, Select, Tick } from '../../ui/form/field.tsx'
import { sentence } from '../../ui/text/words.ts'
import { type FieldProps, useFault, useSettings } from './settings.ts'

/** One of a few values. */
export function ChoiceField({ schema, label, path, value, isOptional, onChange }: FieldProps) {
  const { isReadOnly } = useSettings()
  const fault = useFault(path)
  const known = (schema.enum ?? []).map(String)
  const chosen = value === undefined ? '' : String(value)
  const none =
    schema.default === undefined
      ? isOptional
        ? 'Not set'
        : 'Choose one'
      : `${wordOf(String(schema.default))} (default)`
  const options = [
    { value: '', label: none },
    ...known.map((one) => ({ value: one, label: wordOf(one) })),
    ...(chosen !== '' && !known.includes(chosen) ? [{ value: chosen, label: chosen }] : []),
  ]
  return (
    <Select
      label={label}
      fault={fault}
      isOptional={isOptional}
      {...(schema.description && { hint: schema.description })}
      options={options}
      value={chosen}
      disabled={isReadOnly}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
    />
  )
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

export function NumberField({ schema, label, path, value, isOptional, onChange }: FieldProps) {
  const { isReadOnly } = useSettings()
  const fault = useFault(path)
  return (
    <Field
      label={label}
      fault={fault}
      isOptional={isOptional}
      {...(schema.description && { hint: schema.description })}
      type="number"
      step={schema.type === 'integer' ? 1 : 'any'}
      value={value === undefined ? '' : String(value)}
      readOnly={isReadOnly}
      onChange={({ target }) => onChange(target.value === '' ? undefined : readNumber(target.value))}
    />
  )
}

export function BooleanField({ schema, label, path, value, isOptional, onChange }: FieldProps) {
  const { isReadOnly } = useSettings()
  const fault = useFault(path)
  return (
    <Select
      label={label}
      fault={fault}
      isOptional={isOptional}
      {...(schema.description && { hint: schema.description })}
      options={[
        { value: '', label: 'Not set' },
        { value: 'true', label: 'Yes' },
        { value: 'false', label: 'No' },
      ]}
      value={value === undefined ? '' : String(value)}
      disabled={isReadOnly}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value === 'true')}
    />
  )
}
