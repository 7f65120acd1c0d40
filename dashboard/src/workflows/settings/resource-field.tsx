import { useQuery } from '@tanstack/react-query'
import { get, withQuery } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import type { Page } from '../../api/json.ts'
import { keys } from '../../api/keys.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { Field, type Option } from '../../ui/field.tsx'
import { type FieldProps, useFault, useSettings } from './settings.ts'

const rowsMax = 100
const shownMax = 20

type Row = { id: string; name?: string; title?: string; email?: string }

/** Fetches the things that an id may be of. The lists have no search, so their first page is looked through here. */
function optionsQuery(resource: string) {
  return {
    queryKey: keys.part(resource, 'names'),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Option[]> => {
      const { data } = await get<Page<Row>>(withQuery(`/v1/${resource}`, { limit: rowsMax }), { signal })
      return data.map(({ id, name, title, email }) => ({ value: id, label: name ?? title ?? email ?? id }))
    },
  }
}

/** An id, chosen by the name of what it belongs to. It may be a placeholder as well. */
export function ResourceField({ schema, label, path, value, isOptional, onChange }: FieldProps) {
  const { isReadOnly } = useSettings()
  const fault = useFault(path)
  const resource = schema['x-resource'] ?? ''
  const { data: options } = useQuery(optionsQuery(resource))
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
      search={async (text) => matching(await client.fetchQuery({ ...optionsQuery(resource), staleTime: 10_000 }), text)}
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
