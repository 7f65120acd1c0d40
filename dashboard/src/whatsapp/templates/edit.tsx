import { useRef } from 'react'
import { changed } from '../../api/client.ts'
import { post } from '../../api/request.ts'
import { SharedNotices } from '../../typing/elsewhere.tsx'
import { useSharedForm } from '../../typing/use-shared-form.ts'
import type { Kept } from '../../typing/with-kept.tsx'
import { Button } from '../../ui/button/button.tsx'
import { CodeEditor } from '../../ui/code/code-editor.tsx'
import { say } from '../../ui/dialog/toast.tsx'
import { FormFault } from '../../ui/form/form.tsx'
import { TemplateFields } from './fields.tsx'
import { changesOf, isEditable, labels, type Template, type Written, writtenOf } from './template.ts'
import { DeleteTemplate, TemplatePage } from './template-page.tsx'

type Props = { template: Template; kept: Kept }

/** The page of a template that is a draft or rejected, with its form. *Submit* saves what is typed first. */
export function EditTemplate({ template, kept }: Props) {
  const { shared, buttonFor } = useTemplateForm({ template, kept })
  const { form } = shared
  return (
    <form {...form.props}>
      <TemplatePage
        template={template}
        actions={
          <>
            <DeleteTemplate template={template} onDeleted={kept.forget} />
            <Button kind="main" {...buttonFor('submit')}>
              Submit
            </Button>
          </>
        }
        lead={
          <>
            <SharedNotices shared={shared} what="template" labels={labels} />
            <FormFault form={form} />
          </>
        }
      >
        <div className="form">
          <TemplateFields field={form.field} />
          <CodeEditor
            label="Components"
            language="json"
            isOptional
            hint="Header, footer and buttons, as WhatsApp takes them."
            height={160}
            value={form.values.components}
            fault={form.field('components').fault}
            onChange={(text) => form.set({ components: text })}
          />
          <div className="dialog-actions">
            <Button {...buttonFor('save')}>Save</Button>
          </div>
        </div>
      </TemplatePage>
    </form>
  )
}

type Intent = 'save' | 'submit'

/** The form of a template, and what its buttons mean by submitting it: `buttonFor` gives the properties of one. */
function useTemplateForm({ template, kept }: Props) {
  const intent = useRef<Intent>('save')
  const shared = useSharedForm<'whatsapp/templates', Written>({
    noun: 'whatsapp/templates',
    stored: template,
    kept,
    valuesOf: writtenOf,
    changesOf,
    refuse: (now) => (isEditable(now) ? undefined : `Not saved: the template is ${now.status}.`),
    onSaved: ({ id }) => (intent.current === 'submit' ? submit(id) : say('Saved')),
  })
  const { isBusy } = shared.form
  const buttonFor = (meant: Intent) => ({
    // Enter in a field presses the first submit button of the form, which must not send the template for review.
    type: meant === 'save' ? ('submit' as const) : ('button' as const),
    isBusy: isBusy && intent.current === meant,
    onClick: ({ currentTarget }: { currentTarget: HTMLButtonElement }) => {
      // While a request is under way, another click does nothing.
      if (isBusy) return
      intent.current = meant
      if (meant !== 'save') currentTarget.form?.requestSubmit()
    },
  })
  return { shared, buttonFor }
}

async function submit(id: string): Promise<void> {
  await post('/v1/whatsapp/templates/:id/submit', { id })
  changed('whatsapp/templates')
}
