import { useState } from 'react'
import { changed } from '../api/client.ts'
import { objectOf } from '../api/objects.ts'
import { patch } from '../api/request.ts'
import type { Contact } from '../audience/contact.ts'
import { useKeptFollowedForm } from '../typing/use-followed-form.ts'
import { type Kept, WithKept } from '../typing/with-kept.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Form } from '../ui/form/form.tsx'
import { changesOf, TextFields, textsOf } from './fields.tsx'
import { joinProperties } from './join-properties.ts'

/** The button and dialog *Edit contact*. The address of a contact never changes. */
export function EditContact({ contact }: { contact: Contact }) {
  return (
    <DialogButton name="Edit contact">
      {(close) => (
        <WithKept page={`contacts/${contact.id}`}>
          {(kept) => <EditForm {...{ contact, kept }} onDone={close} />}
        </WithKept>
      )}
    </DialogButton>
  )
}

function EditForm({ contact, kept, onDone }: { contact: Contact; kept: Kept; onDone: () => void }) {
  const [before] = useState(() => typedOver(kept) ?? contact.properties)
  const submit = async (texts: Partial<ReturnType<typeof textsOf>>) => {
    const { properties, ...changes } = changesOf(texts)
    // The request replaces all properties, and a program may have changed others than the person has.
    const joined = properties && { properties: joinProperties(before, properties, contact.properties) }
    const body = { ...changes, ...joined }
    if (Object.keys(body).length > 0) await patch('/v1/contacts/:id', { id: contact.id, body })
    changed('contacts')
    say('Saved')
    onDone()
  }
  const form = useKeptFollowedForm(kept, textsOf(contact), submit, {}, { before })
  return (
    <Form form={form} verb="Save">
      <TextFields field={form.field} />
    </Form>
  )
}

/** The properties over which the kept ones were typed. */
function typedOver(kept: Kept): Record<string, unknown> | undefined {
  const { properties, before } = objectOf(kept.found?.value)
  return properties === undefined || before === undefined ? undefined : objectOf(before)
}
