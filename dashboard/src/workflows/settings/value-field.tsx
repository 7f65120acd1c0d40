import { useState } from 'react'
import { parseJson, readNumber } from '../../api/exact-json.ts'
import { Field, Select, TextArea } from '../../ui/form/field.tsx'
import { Choice, NumberField } from './plain-fields.tsx'
import { typeOfValue, typesOf } from './schema.ts'
import { type FieldProps, useControl, useFault, useSettings } from './settings.ts'
import { TextField } from './text-fields.tsx'

const names: Record<string, string> = {
  string: 'Text',
  number: 'Number',
  integer: 'Number',
  boolean: 'True or false',
  null: 'Null',
  object: 'JSON',
}
const firstValues: Record<string, unknown> = {
  string: '',
  number: 0,
  integer: 0,
  boolean: true,
  null: null,
  object: {},
}

/** A value of one of several types: its type, and a field for it. */
export function ValueField(props: FieldProps) {
  const { schema, label, value, path, onChange } = props
  const { isReadOnly } = useSettings()
  const types = typesOf(schema)
  const type = types.find((one) => one === typeOfValue(value)) ?? types[0]!
  return (
    <div className="value">
      <ValueOf {...props} type={type} />
      <Select
        label={`Type of ${label.toLowerCase()}`}
        options={types.map((one) => ({ value: one, label: names[one] ?? one }))}
        value={type}
        disabled={isReadOnly}
        data-path={path}
        onChoose={(chosen) => onChange(changedType(value, chosen))}
      />
    </div>
  )
}

/** Keeps what was typed where the new type can hold it. */
function changedType(value: unknown, type: string): unknown {
  if (type === 'string') return value === undefined || value === null ? '' : String(value)
  if (type === 'number' && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return readNumber(value)
  return firstValues[type]
}

const booleans = [
  { value: 'true', label: 'True' },
  { value: 'false', label: 'False' },
]

function ValueOf({ type, ...props }: FieldProps & { type: string }) {
  const { value, schema, onChange } = props
  const control = useControl(props)
  if (type === 'string') return <TextField {...props} />
  if (type === 'object') return <JsonField {...props} />
  if (type === 'boolean')
    return (
      <Choice
        props={props}
        options={booleans}
        value={`${value ?? ''}`}
        onChoose={(next) => onChange(next === 'true')}
      />
    )
  if (type === 'null') return <Field {...control} value="" placeholder="null" readOnly />
  return <NumberField {...props} schema={{ ...schema, type: 'number' }} />
}

/** Any JSON. What cannot be read stays in the field and is not saved. */
export function JsonField({ schema, label, path, value, isOptional, onChange }: FieldProps) {
  const { isReadOnly } = useSettings()
  const fault = useFault(path)
  const [text, setText] = useState<string>()
  const isBad = text !== undefined && !isJson(text)
  return (
    <TextArea
      label={label}
      hint={schema.description ?? 'JSON'}
      isOptional={isOptional}
      fault={isBad ? 'This is not valid JSON yet. The last valid value is kept.' : fault}
      className="mono"
      value={text ?? (value === undefined ? '' : JSON.stringify(value, null, 2))}
      readOnly={isReadOnly}
      onBlur={() => !isBad && setText(undefined)}
      onChange={({ target }) => {
        setText(target.value)
        if (target.value.trim() === '') onChange(undefined)
        else if (isJson(target.value)) onChange(parseJson(target.value))
      }}
    />
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return text.trim() === ''
  }
}
