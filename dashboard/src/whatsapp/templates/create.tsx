import { useNavigate } from '@tanstack/react-router'
import { post } from '../../api/call.ts'
import { changed } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { DialogButton } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormFault, useForm } from '../../ui/form.tsx'
import { TemplateFields } from './fields.tsx'
import { type Template, templatesPath } from './template.ts'

export function CreateTemplate() {
  return (
    <DialogButton name="Create template" kind="main">
      {() => <CreateForm />}
    </DialogButton>
  )
}

function CreateForm() {
  const navigate = useNavigate()
  const form = useForm({ name: '', category: 'utility', language: 'en', body: '' }, async (values) => {
    const { id } = await post<Template>(templatesPath, values)
    changed('whatsapp/templates')
    await navigate({ to: `/whatsapp/templates/${id}` as never })
  })
  return (
    <form className="form" {...form.props}>
      <FormFault form={form} />
      <Field
        label="Name"
        hint="Lowercase letters, digits and underscores, such as order_shipped."
        maxLength={512}
        {...form.field('name')}
        autoFocus
      />
      <TemplateFields form={form as never} />
      <div className="dialog-actions">
        <Button type="submit" kind="main" isBusy={form.isBusy}>
          Create
        </Button>
      </div>
    </form>
  )
}
