import { changed } from '../../api/client.ts'
import { readObject } from '../../api/objects.ts'
import { faultAt, Refusal } from '../../api/refusal.ts'
import { patch } from '../../api/request.ts'
import { useKeptForm } from '../../drafts/use-kept-form.ts'
import { type Draft, WithDraft } from '../../drafts/with-draft.tsx'
import { CodeEditor } from '../../ui/code/code-editor.tsx'
import { say } from '../../ui/dialog/toast.tsx'
import { Form } from '../../ui/form/form.tsx'
import { TemplateFields } from './fields.tsx'
import type { Template } from './template.ts'

/** The form of a template that is a draft or rejected. */
export function EditTemplate({ template }: { template: Template }) {
  return (
    <WithDraft page={`whatsapp/templates/${template.id}`}>
      {(draft) => <EditForm template={template} draft={draft} />}
    </WithDraft>
  )
}

function EditForm({ template, draft }: { template: Template; draft: Draft }) {
  const { body, category, language } = template
  const components = template.components === null ? '' : JSON.stringify(template.components, null, 2)
  const stored = { body, category, language, components }
  const form = useKeptForm(draft, stored, async (values) => {
    const changes = { ...values, components: readComponents(values.components) }
    await patch('/v1/whatsapp/templates/:id', { id: template.id, body: changes })
    changed('whatsapp/templates')
    say('Saved')
  })
  return (
    <Form form={form} verb="Save" kind="plain">
      <TemplateFields field={form.field} />
      <CodeEditor
        label="Components"
        language="json"
        isOptional
        hint="Header, footer and buttons, as WhatsApp takes them."
        height={160}
        value={form.values.components}
        fault={faultAt(form.error, 'components')}
        onChange={(text) => form.set({ components: text })}
      />
    </Form>
  )
}

/**
 * Returns the components of a text; null for an empty one. Throws a refusal at the field for what is no JSON object.
 */
function readComponents(text: string): Template['components'] {
  if (text.trim() === '') return null
  const components = readObject(text)
  if (components) return components
  const message = 'must be a JSON object'
  throw new Refusal(400, { message, errors: [{ path: 'components', message }] })
}
