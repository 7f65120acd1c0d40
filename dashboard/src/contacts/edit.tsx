import { patch } from '../api/call.ts'
import { changed } from '../api/client.ts'
import { type Contact, contactsPath } from '../audience/contact.ts'
import { Button } from '../ui/button.tsx'
import { DialogButton } from '../ui/dialog.tsx'
import { FormFault, useForm } from '../ui/form.tsx'
import { say } from '../ui/toast.tsx'
import { TextFields, textsOf, valuesOf } from './fields.tsx'

/** The button and dialog *Edit contact*. The address of a contact never changes. */
export function EditContact({ contact }: { contact: Contact }) {
  return <DialogButton name="Edit contact">{(close) => <EditForm contact={contact} onDone={close} />}</DialogButton>
}

function EditForm({ contact, onDone }: { contact: Contact; onDone: () => void }) {
  const before = textsOf(contact)
  const form = useForm(before, async (texts) => {
    // Properties that were not touched may have changed elsewhere meanwhile.
    const { properties, ...values } = valuesOf(texts)
    const isTouched = texts.properties !== before.properties
    await patch(`${contactsPath}/${contact.id}`, { ...values, ...(isTouched && { properties }) })
    changed('contacts')
    say('Saved')
    onDone()
  })
  return (
    <form className="form" {...form.props}>
      <FormFault form={form} />
      <TextFields field={form.field} />
      <div className="dialog-actions">
        <Button type="submit" kind="main" isBusy={form.isBusy}>
          Save
        </Button>
      </div>
    </form>
  )
}
