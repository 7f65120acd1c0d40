import { useState } from 'react'
import { changed } from '../api/client.ts'
import { get, post } from '../api/request.ts'
import { Button } from '../ui/button/button.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Combobox } from '../ui/form/combobox.tsx'
import type { Option } from '../ui/form/field.tsx'
import { Form, useForm } from '../ui/form/form.tsx'

const optionsMax = 20

type Props = {
  noun: 'segments' | 'topics'
  id: string
  name: string
  hint?: string
}

/** The button and dialog *Add contacts*, of a segment or a topic. */
export function AddContacts(props: Props) {
  return (
    <DialogButton name="Add contacts" kind="main">
      {(close) => <AddForm {...props} onDone={close} />}
    </DialogButton>
  )
}

function AddForm({ noun, id, name, hint, onDone }: Props & { onDone: () => void }) {
  const [chosen, setChosen] = useState<Option[]>([])
  const form = useForm({ contactIds: '' }, async () => {
    await post(`/v1/${noun}/:id/contacts`, { id, body: { contactIds: chosen.map(({ value }) => value) } })
    changed('contacts')
    say(chosen.length === 1 ? `${chosen[0]!.label} is in ${name} now` : `${chosen.length} contacts are in ${name} now`)
    onDone()
  })
  return (
    <Form form={form} verb="Add" disabled={chosen.length === 0}>
      <Combobox
        label="Contact"
        noun="contacts"
        value=""
        {...(hint && { hint })}
        placeholder="A part of the address or the name"
        search={searchContacts}
        fault={form.field('contactIds').fault}
        onChange={(_value, option) =>
          option && setChosen((before) => [...before.filter(({ value }) => value !== option.value), option])
        }
      />
      {chosen.length > 0 && (
        <ul className="chosen" aria-label="Chosen contacts">
          {chosen.map(({ value, label }) => (
            <li key={value}>
              <span className="mono">{label}</span>
              <Button
                kind="quiet"
                icon="close"
                label={`Leave out ${label}`}
                onClick={() => setChosen(chosen.filter((other) => other.value !== value))}
              />
            </li>
          ))}
        </ul>
      )}
    </Form>
  )
}

async function searchContacts(search: string, signal: AbortSignal): Promise<Option[]> {
  const { data } = await get('/v1/contacts', { search, limit: optionsMax }, { signal })
  return data.map(({ id, email }) => ({ value: id, label: email }))
}
