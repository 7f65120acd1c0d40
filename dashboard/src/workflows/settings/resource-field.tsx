import { useQuery } from '@tanstack/react-query'
import { allOf } from '../../api/all.ts'
import { client } from '../../api/client.ts'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Field, type Option } from '../../ui/form/field.tsx'
import { type FieldProps, useFault, useSettings } from './settings.ts'

const shownMax = 20

function toOption({ id, name }: { id: string; name: string }): Option {
  return { value: id, label: name }
}

/** An id, chosen by the name of what it belongs to. It may be a placeholder as well. */
export function ResourceField({ schema, label, path, value, isOptional, onChange }: FieldProps) {
  const { isReadOnly } = useSettings()
  const fault = useFault(path)
  const resource = schema['x-resource']!
  const rows = allOf(`/v1/${resource}`)
  const options = useQuery(rows).data?.map(toOption)
  const chosen = typeof value === 'string' ? value : ''
  const name = options?.find((option) => option.value === chosen)?.label
  const hint = schema.description ? { hint: schema.description } : {}
  if (isReadOnly) return <Field label={label} {...hint} value={name ?? chosen} readOnly />
  return (
    <Combobox
      label={label}
      noun={resource}
      {...{ fault, isOptional, ...hint }}
      value={chosen}
      valueLabel={name ?? chosen}
      placeholder="Choose by typing"
      // The lists have no search, so they are looked through here.
      search={async (text) => matching((await client.fetchQuery(rows)).map(toOption), text)}
      onChange={(next) => onChange(next === '' ? undefined : next)}
    />
  )
}

function matching(options: Option[], text: string): Option[] {
  const wanted = text.toLowerCase()
  const found = options.filter(({ value, label }) => value === text || label.toLowerCase().includes(wanted))
  const typed = text.startsWith('{{') ? [{ value: text, label: text }] : []
  return [...typed, ...found].slice(0, shownMax)
}
