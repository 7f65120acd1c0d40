import { objectOf } from '../../api/objects.ts'
import { Group } from '../../ui/form/field.tsx'
import { sentence } from '../../ui/text/words.ts'
import type { Schema } from './schema.ts'
import { type FieldProps, useSettings } from './settings.ts'

/** An object: the fields of its members, under its name. */
export function GroupField({ schema, label, path, value, onChange }: FieldProps) {
  return (
    <Group label={label}>
      <GroupFields schema={schema} path={path} value={value} onChange={onChange} />
    </Group>
  )
}

type GroupProps = Pick<FieldProps, 'path' | 'value' | 'onChange'> & { schema: Schema }

/** The fields of an object's members. */
export function GroupFields({ schema, path, value, onChange }: GroupProps) {
  const { AnyField } = useSettings()
  const record = objectOf(value)
  return Object.entries(schema.properties ?? {}).map(([name, field]) => (
    <AnyField
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
