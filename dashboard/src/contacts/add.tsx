import { changed } from '../api/client.ts'
import { post } from '../api/request.ts'
import { useKeptForm } from '../typing/use-kept-form.ts'
import { type Kept, WithKept } from '../typing/with-kept.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Field } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { emptyContact, TextFields, valuesOf } from './fields.tsx'

export function AddContact() {
  return (
    <DialogButton name="Add contact" kind="main">
      {(close) => <WithKept page="contacts/new">{(kept) => <AddForm kept={kept} onDone={close} />}</WithKept>}
    </DialogButton>
  )
}

function AddForm({ kept, onDone }: { kept: Kept; onDone: () => void }) {
  const form = useKeptForm(kept, { email: '', ...emptyContact }, async ({ email, ...texts }) => {
    await post('/v1/contacts', { body: { email, ...valuesOf(texts) } })
    changed('contacts')
    say(`${email} is a contact now`)
    onDone()
  })
  return (
    <Form form={form} verb="Add">
      <Field label="Email" type="email" {...form.field('email')} autoFocus />
      <TextFields field={form.field} />
    </Form>
  )
}
