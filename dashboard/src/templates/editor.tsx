import { useRef, useState } from 'react'
import type { Posts } from '../api/endpoints.ts'
import { patch, post } from '../api/request.ts'
import { ContentPreview } from '../content/content-preview.tsx'
import { useMay } from '../session/me.ts'
import { Status } from '../status/status.tsx'
import { SharedNotices } from '../typing/elsewhere.tsx'
import { difference } from '../typing/merge.ts'
import { useSharedForm } from '../typing/use-shared-form.ts'
import type { Kept } from '../typing/with-kept.tsx'
import { CodeEditor } from '../ui/code/code-editor.tsx'
import { say, sayFault } from '../ui/dialog/toast.tsx'
import { Field, TextArea } from '../ui/form/field.tsx'
import { FormFault } from '../ui/form/form.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Go } from '../ui/go/go.tsx'
import { Actions, type Intent } from './actions.tsx'
import { bodyOf, emptyTemplate, labels, type Template, variablesIn, type Written, writtenOf } from './template.ts'
import { TestData } from './test-data.tsx'

type Props = {
  /** The template as it is stored; undefined for a new one. */
  stored?: Template | undefined
  kept: Kept
  onSaved?: ((template: Template) => Promise<void>) | undefined
}

const said: Record<Intent, string> = { save: 'Saved', publish: 'Published', unpublish: 'Unpublished' }

/** Writes a template beside its preview with test data. */
export function Editor({ stored, kept, onSaved }: Props) {
  const mayEdit = useMay('PATCH /v1/templates/:id')
  const { shared, intent } = useTemplateForm({ stored, kept, onSaved })
  const { form, isChanged } = shared
  return (
    <form {...form.props}>
      <Page
        title={stored?.name ?? 'New template'}
        above={<Go to="/templates">Templates</Go>}
        actions={mayEdit && <Actions {...{ stored, intent }} isBusy={form.isBusy} onDeleted={kept.forget} />}
      >
        <State stored={stored} isChanged={isChanged} />
        <SharedNotices shared={shared} what="template" labels={labels} />
        <FormFault form={form} />
        <div className="writing">
          <ContentFields form={form} isNew={!stored} mayEdit={mayEdit} />
          <Preview {...form.values} />
        </div>
      </Page>
    </form>
  )
}

/** The form of a template, and what its buttons mean by submitting it. */
function useTemplateForm({ stored, kept, onSaved }: Props) {
  const intent = useRef<Intent>('save')
  const shared = useSharedForm<'templates', Written>({
    noun: 'templates',
    ...{ stored, kept },
    valuesOf: writtenOf,
    fresh: { start: emptyTemplate, create: (written) => create(bodyOf(written), intent) },
    changesOf: (written, before) => ({
      ...difference(bodyOf(written), bodyOf(before)),
      ...statusAfter(intent.current),
    }),
    onSaved: (template) => {
      say(said[intent.current])
      return onSaved?.(template)
    },
  })
  return { shared, intent }
}

function Preview({ html, text }: Pick<Written, 'html' | 'text'>) {
  const [data, setData] = useState<Record<string, string>>({})
  const variables = variablesIn(html, text)
  const filled = Object.fromEntries(variables.flatMap((each) => (data[each] ? [[each, data[each]]] : [])))
  return (
    <div className="writing-preview">
      <TestData
        variables={variables}
        data={data}
        onChange={(changes) => setData((before) => ({ ...before, ...changes }))}
      />
      <Section title="Preview">
        <ContentPreview
          hasSubject={false}
          request={{ kind: 'template', html: html || null, text: text || null, variables: filled }}
        />
      </Section>
    </div>
  )
}

type FieldsProps = {
  form: ReturnType<typeof useSharedForm<'templates', Written>>['form']
  isNew: boolean
  mayEdit: boolean
}

function ContentFields({ form, isNew, mayEdit }: FieldsProps) {
  return (
    <div className="form">
      <Field label="Name" maxLength={200} readOnly={!mayEdit} {...form.field('name')} autoFocus={isNew} />
      <CodeEditor
        label="HTML"
        language="html"
        value={form.values.html}
        {...(mayEdit && { onChange: (value: string) => form.set({ html: value }) })}
        hint="Write {{name}} where a value goes."
        fault={form.field('html').fault}
        height={360}
      />
      <TextArea
        label="Text"
        isOptional
        hint="For readers without HTML."
        rows={8}
        readOnly={!mayEdit}
        {...form.field('text')}
      />
    </div>
  )
}

function State({ stored, isChanged }: { stored: Template | undefined; isChanged: boolean }) {
  return (
    <p className="template-state">
      <Status of={stored?.status ?? 'draft'} />
      {isChanged && stored && <span className="muted">Not saved yet</span>}
      {stored && <span className="mono muted">{stored.id}</span>}
    </p>
  )
}

function statusAfter(intent: Intent): { status?: Template['status'] } {
  if (intent === 'save') return {}
  return { status: intent === 'publish' ? 'published' : 'draft' }
}

/**
 * A template begins as a draft, so that publishing a new one takes two requests. If the second one fails, the template
 * is saved and the fault is shown beside it: submitting again would make another template.
 */
async function create(body: Posts['/v1/templates']['body'], intent: { current: Intent }): Promise<Template> {
  const made = await post('/v1/templates', { body })
  if (intent.current === 'save') return made
  try {
    return await patch('/v1/templates/:id', { id: made.id, body: statusAfter(intent.current) })
  } catch (error) {
    intent.current = 'save'
    sayFault(error)
    return made
  }
}
