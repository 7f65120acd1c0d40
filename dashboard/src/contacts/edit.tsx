import { changed } from '../api/client.ts'
import { patch } from '../api/request.ts'
import type { Contact } from '../audience/contact.ts'
import { useKeptForm } from '../drafts/use-kept-form.ts'
import { type Draft, WithDraft } from '../drafts/with-draft.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Form } from '../ui/form/form.tsx'
import { TextFields, textsOf, valuesOf } from './fields.tsx'

/** The button and dialog *Edit contact*. The address of a contact never changes. */
export function EditContact({ contact }: { contact: Contact }) {
  return (
    <DialogButton name="Edit contact">
      {(close) => (
        <WithDraft page={`contacts/${contact.id}`}>
          {(draft) => <EditForm {...{ contact, draft }} onDone={close} />}
        </WithDraft>
      )}
    </DialogButton>
  )
}

function EditForm({ contact, draft, onDone }: { contact: Contact; draft: Draft; onDone: () => void }) {
  const before = textsOf(contact)
  const form = useKeptForm(draft, before, async (texts) => {
    // Properties that were not touched may have changed elsewhere meanwhile.
    const { properties, ...values } = valuesOf(texts)
    const isTouched = texts.properties !== before.properties
    await patch('/v1/contacts/:id', { id: contact.id, body: { ...values, ...(isTouched && { properties }) } })
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
