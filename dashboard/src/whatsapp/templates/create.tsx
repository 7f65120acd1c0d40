import { changed } from '../../api/client.ts'
import { post } from '../../api/request.ts'
import { useKeptForm } from '../../typing/use-kept-form.ts'
import { type Kept, WithKept } from '../../typing/with-kept.tsx'
import { DialogButton } from '../../ui/dialog/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { useGo } from '../../ui/go/use-go.ts'
import { TemplateFields } from './fields.tsx'

export function CreateTemplate() {
  return (
    <DialogButton name="Create template" kind="main">
      {() => <WithKept page="whatsapp/templates/new">{(kept) => <CreateForm kept={kept} />}</WithKept>}
    </DialogButton>
  )
}

const start = { name: '', category: 'utility', language: 'en', body: '' }

function CreateForm({ kept }: { kept: Kept }) {
  const go = useGo()
  const form = useKeptForm(kept, start, async (values) => {
    const { id } = await post('/v1/whatsapp/templates', { body: values })
    changed('whatsapp/templates')
    await go(`/whatsapp/templates/${id}`)
  })
  return (
    <Form form={form} verb="Create">
      <Field
        label="Name"
        hint="Lowercase letters, digits and underscores, such as order_shipped."
        maxLength={512}
        {...form.field('name')}
        autoFocus
      />
      <TemplateFields field={form.field} />
    </Form>
  )
}
