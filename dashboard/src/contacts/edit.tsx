import { useState } from 'react'
import { changed } from '../api/client.ts'
import { patch } from '../api/request.ts'
import type { Contact } from '../audience/contact.ts'
import { useKeptForm } from '../typing/use-kept-form.ts'
import { type Kept, WithKept } from '../typing/with-kept.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Form } from '../ui/form/form.tsx'
import { changesOf, TextFields, textsOf } from './fields.tsx'

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
  // Fields that programs change while the dialog is open are not the person's changes, and stay as they are.
  const [before] = useState(() => textsOf(contact))
  const form = useKeptForm(kept, before, async (texts) => {
    const changes = changesOf(texts, before)
    if (Object.keys(changes).length > 0) await patch('/v1/contacts/:id', { id: contact.id, body: changes })
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
