import { whatsappBodyMax } from '../../../../src/whatsapp/templates/placeholders.ts'
import { Field, Select, TextArea } from '../../ui/form/field.tsx'
import type { FieldControl } from '../../ui/form/form.tsx'
import { categories } from './template.ts'

type Name = 'body' | 'category' | 'language'

/** The fields of a template that creating and editing share. */
export function TemplateFields({ field }: { field: (name: Name) => FieldControl }) {
  return (
    <>
      <div className="form-row">
        <Select label="Category" options={categories} {...field('category')} />
        <Field label="Language" maxLength={35} {...field('language')} />
      </div>
      <TextArea
        label="Body"
        rows={6}
        maxLength={whatsappBodyMax}
        hint="Placeholders are {{1}}, {{2}} and so on, without gaps."
        {...field('body')}
      />
    </>
  )
}
