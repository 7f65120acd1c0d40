import type { ComponentType } from 'react'
import { GroupField } from './group-fields.tsx'
import { ListField, RecordField } from './many-fields.tsx'
import { BooleanField, ChoiceField, ChoicesField, NumberField } from './plain-fields.tsx'
import { ResourceField } from './resource-field.tsx'
import { type Kind, kindOf } from './schema.ts'
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
  any: UntypedField,
}

/** The field of a value, drawn from its schema. */
export function ConfigField(props: FieldProps) {
  const { schema } = props
  const Drawn = fields[kindOf(schema)]
  const words = schema.description?.replaceAll('`', '')
  return <Drawn {...props} schema={words === undefined ? schema : { ...schema, description: words }} />
}

/** A schema without a type takes a text, a number, or any JSON. */
function UntypedField(props: FieldProps) {
  return props.schema.type === 'object' ? <JsonField {...props} /> : <ValueField {...props} />
}
