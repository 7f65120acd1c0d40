import { useState } from 'react'
import { client } from '../../api/client.ts'
import { oneOf } from '../../api/use-one.ts'
import type { Template } from '../../templates/template.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { say } from '../../ui/dialog/toast.tsx'
import { type Option, Select } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Fetch } from '../../ui/frame/states.tsx'
import { Go } from '../../ui/go/go.tsx'
import { usePublishedTemplates } from './choices.tsx'
import type { DraftForm } from './use-draft.ts'

type Props = { form: DraftForm; onClose: () => void }

/** Copies HTML and text of a published template into the form. Asks before it replaces what is written there. */
export function TemplateDialog({ form, onClose }: Props) {
  const templates = usePublishedTemplates()
  const [chosen, setChosen] = useState<Template>()
  const isWritten = Boolean(form.values.html || form.values.text)
  function copy({ name, html, text }: Template) {
    form.set({ html: html ?? '', text: text ?? '' })
    say(`HTML and text are those of ${name}`)
  }
  if (chosen) {
    return (
      <ConfirmDialog
        title="Replace HTML and text?"
        verb="Replace"
        onConfirm={async () => copy(chosen)}
        onClose={onClose}
      >
        <p>The content of {chosen.name} replaces what is written in HTML and Text.</p>
      </ConfirmDialog>
    )
  }
  return (
    <Dialog title="Start from a template" onClose={onClose}>
      <Fetch query={templates} lines={2}>
        {(options) => (
          <TemplateChoice
            options={options}
            onBack={onClose}
            onChosen={(template) => {
              if (isWritten) return setChosen(template)
              copy(template)
              onClose()
            }}
          />
        )}
      </Fetch>
    </Dialog>
  )
}

type ChoiceProps = { options: Option[]; onBack: () => void; onChosen: (template: Template) => void }

function TemplateChoice({ options, onBack, onChosen }: ChoiceProps) {
  const [newest] = options
  const form = useForm({ templateId: newest?.value ?? '' }, async ({ templateId }) =>
    onChosen(await client.fetchQuery({ ...oneOf('/v1/templates/:id', { id: templateId }), staleTime: 0 })),
  )
  if (!newest) {
    return (
      <p>
        No template is published yet. <Go to="/templates">Templates</Go>
      </p>
    )
  }
  return (
    <Form form={form} verb="Use template" onBack={onBack}>
      <Select
        label="Template"
        hint="Its HTML and text are copied. Later changes of the template do not follow."
        options={options}
        {...form.field('templateId')}
      />
    </Form>
  )
}
