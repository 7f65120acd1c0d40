import { useState } from 'react'
import { objectOf } from '../../api/objects.ts'
import { Button } from '../../ui/button/button.tsx'
import { Field, Group } from '../../ui/form/field.tsx'
import { valuesOf } from './schema.ts'
import { type FieldProps, useFault, useSettings } from './settings.ts'

/** A list: a field for each item, and buttons that add and remove. */
export function ListField({ schema, label, path, value, onChange }: FieldProps) {
  const { isReadOnly, AnyField } = useSettings()
  const fault = useFault(path, false)
  const items: unknown[] = Array.isArray(value) ? value : []
  const isFull = items.length >= (schema.maxItems ?? Number.POSITIVE_INFINITY)
  const item = schema.items ?? {}
  const put = (next: unknown[]) => onChange(next.length === 0 ? undefined : next)
  return (
    <Group label={label} fault={fault}>
      {schema.description && <p className="small muted">{schema.description}</p>}
      {items.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity, and their order does not change
        <div key={index} className="item">
          <div className="item-field">
            <AnyField
              schema={item}
              label={`${label} ${index + 1}`}
              path={`${path}[${index}]`}
              value={one}
              isOptional={false}
              onChange={(next) => put(items.with(index, next ?? firstOf(item.type)))}
            />
          </div>
          {!isReadOnly && (
            <Button
              kind="quiet"
              icon="close"
              label={`Remove ${label.toLowerCase()} ${index + 1}`}
              onClick={() => put(items.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      {!isReadOnly && !isFull && (
        <div>
          <Button icon="plus" onClick={() => onChange([...items, firstOf(item.type)])}>
            Add to {label.toLowerCase()}
          </Button>
        </div>
      )}
    </Group>
  )
}

function firstOf(type: string | string[] | undefined): unknown {
  return type === 'object' ? {} : ''
}

/** Names and their values, such as headers. */
export function RecordField({ schema, label, path, value, onChange }: FieldProps) {
  const { isReadOnly, AnyField } = useSettings()
  const fault = useFault(path, false)
  const record = objectOf(value)
  const names = Object.keys(record)
  const put = (next: Record<string, unknown>) => onChange(Object.keys(next).length === 0 ? undefined : next)
  return (
    <Group label={label} fault={fault}>
      {schema.description && <p className="small muted">{schema.description}</p>}
      {names.map((name) => (
        <div key={name} className="item item-named">
          <div className="item-field">
            <AnyField
              schema={valuesOf(schema)}
              label={name}
              path={`${path}.${name}`}
              value={record[name]}
              isOptional={false}
              onChange={(next) => put({ ...record, [name]: next ?? '' })}
            />
          </div>
          {!isReadOnly && (
            <Button
              kind="quiet"
              icon="close"
              label={`Remove ${name}`}
              onClick={() => put(Object.fromEntries(Object.entries(record).filter(([other]) => other !== name)))}
            />
          )}
        </div>
      ))}
      {!isReadOnly && <NewName label={label} taken={names} onAdd={(name) => put({ ...record, [name]: '' })} />}
    </Group>
  )
}

function NewName({ label, taken, onAdd }: { label: string; taken: string[]; onAdd: (name: string) => void }) {
  const [name, setName] = useState('')
  const isTaken = taken.includes(name.trim())
  const add = () => {
    if (name.trim() === '' || isTaken) return
    onAdd(name.trim())
    setName('')
  }
  return (
    <div className="item">
      <div className="item-field">
        <Field
          label={`Name in ${label.toLowerCase()}`}
          value={name}
          fault={isTaken ? 'This name exists already. Choose another.' : undefined}
          onChange={({ target }) => setName(target.value)}
          onKeyDown={(event) => event.key === 'Enter' && add()}
        />
      </div>
      <Button onClick={add}>Add to {label.toLowerCase()}</Button>
    </div>
  )
}
