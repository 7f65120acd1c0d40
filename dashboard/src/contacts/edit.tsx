import { useState } from 'react'
import { changed } from '../api/client.ts'
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
  const [opened] = useState(contact.properties)
  const form = useKeptFollowedForm(kept, textsOf(contact), async (texts) => {
    const { properties, ...changes } = changesOf(texts)
    // The request replaces all properties, and a program may have changed others than the person has.
    const joined = properties && { properties: joinProperties(opened, properties, contact.properties) }
    const body = { ...changes, ...joined }
    if (Object.keys(body).length > 0) await patch('/v1/contacts/:id', { id: contact.id, body })
    changed('contacts')
    say('Saved')
    onDone()
  })
  return (
    <Form form={form} verb="Save">
      <TextFields field={form.field} />
    </Form>
  )
}
