import type { ComponentType } from 'react'
import { objectOf } from '../../api/objects.ts'
import { Group } from '../../ui/form/field.tsx'
import { sentence } from '../../ui/text/words.ts'
import { ListField, RecordField } from './many-fields.tsx'
import { BooleanField, ChoiceField, ChoicesField, NumberField } from './plain-fields.tsx'
import { ResourceField } from './resource-field.tsx'
import { type Kind, kindOf, type Schema } from './schema.ts'
import type { FieldProps } from './settings.ts'
import { CodeField, TextField } from './text-fields.tsx'
import { RuleField, UnionField } from './union-fields.tsx'
import { JsonField, ValueField } from './value-field.tsx'

const fields: Record<Kind, ComponentType<FieldProps>> = {
  choice: ChoiceField,
  choices: ChoicesField,
  resource: ResourceField,
  code: CodeField,
  text: TextField,
  number: NumberField,
  boolean: BooleanField,
  list: ListField,
  record: RecordField,
  union: UnionField,
  scalar: ValueField,
  rule: RuleField,
  group: GroupField,
  any: AnyField,
}

/** The field of a value, drawn from its schema. */
export function ConfigField(props: FieldProps) {
  const { schema } = props
  const Drawn = fields[kindOf(schema)]
  const words = schema.description?.replaceAll('`', '')
  return <Drawn {...props} schema={words === undefined ? schema : { ...schema, description: words }} />
}

/** A schema without a type takes a text, a number, or any JSON. */
function AnyField(props: FieldProps) {
  return props.schema.type === 'object' ? <JsonField {...props} /> : <ValueField {...props} />
}

function GroupField({ schema, label, path, value, onChange }: FieldProps) {
  return (
    <Group label={label}>
      <GroupFields schema={schema} path={path} value={value} onChange={onChange} />
    </Group>
  )
}

type GroupProps = Pick<FieldProps, 'path' | 'value' | 'onChange'> & { schema: Schema }

/** The fields of an object's members. */
export function GroupFields({ schema, path, value, onChange }: GroupProps) {
  const record = objectOf(value)
  return Object.entries(schema.properties ?? {}).map(([name, field]) => (
    <ConfigField
      key={name}
      schema={field}
      label={field.title ?? sentence(name)}
      path={path === '' ? name : `${path}.${name}`}
      value={record[name]}
      isOptional={!schema.required?.includes(name)}
      onChange={(next) => {
        const { [name]: _, ...others } = record
        onChange(next === undefined ? others : { ...record, [name]: next })
      }}
    />
  ))
}
