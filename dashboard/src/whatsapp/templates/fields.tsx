import { whatsappBodyMax } from '../../../../src/whatsapp/templates/placeholders.ts'
import { Field, Select, TextArea } from '../../ui/form/field.tsx'
import type { useForm } from '../../ui/form/form.tsx'
import { categories } from './template.ts'

type Form = Pick<ReturnType<typeof useForm<{ body: string; category: string; language: string }>>, 'field'>

/** The fields of a template that creating and editing share. */
export function TemplateFields({ form }: { form: Form }) {
  return (
    <>
      <div className="form-row">
        <Select label="Category" options={categories} {...form.field('category')} />
        <Field label="Language" maxLength={35} {...form.field('language')} />
      </div>
      <TextArea
        label="Body"
        rows={6}
        maxLength={whatsappBodyMax}
        hint="Placeholders are {{1}}, {{2}} and so on, without gaps."
        {...form.field('body')}
      />
    </>
  )
}
