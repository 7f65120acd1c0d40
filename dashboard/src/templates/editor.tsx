import { useEffect, useRef, useState } from 'react'
import { patch, post } from '../api/call.ts'
import { changed } from '../api/client.ts'
import { CodeEditor } from '../ui/code/code-editor.tsx'
import { ContentPreview } from '../ui/content-preview.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { FormFault, useForm } from '../ui/form.tsx'
import { Go } from '../ui/go.tsx'
import { Page } from '../ui/page.tsx'
import { Status } from '../ui/status.tsx'
import { say } from '../ui/toast.tsx'
import { Actions, type Intent } from './actions.tsx'
import { type Template, templatesPath, useMayEditTemplates, variablesIn } from './template.ts'
import { TestData } from './test-data.tsx'

type Props = {
  /** The template as it is stored; undefined for a new one. */
  stored?: Template
  onSaved?: (template: Template) => void
}

const said: Record<Intent, string> = { save: 'Saved', publish: 'Published', unpublish: 'Unpublished' }

/** Writes a template beside its preview with test data. */
export function Editor({ stored, onSaved }: Props) {
  const mayEdit = useMayEditTemplates()
  const start = { name: stored?.name ?? '', html: stored?.html ?? '', text: stored?.text ?? '' }
  const [saved, setSaved] = useState(start)
  const [data, setData] = useState<Record<string, string>>({})
  const intent = useRef<Intent>('save')
  const form = useForm(start, async (values) => {
    const body = { name: values.name, html: values.html || null, text: values.text || null }
    const status = statusAfter(intent.current)
    const answer = stored
      ? await patch<Template>(`${templatesPath}/${stored.id}`, { ...body, ...status })
      : await create(body, status)
    setSaved(values)
    changed('templates')
    say(said[intent.current])
    onSaved?.(answer)
  })
  const { html, text, name } = form.values
  const isChanged = html !== saved.html || text !== saved.text || name !== saved.name
  useWarning(isChanged && !form.isBusy)
  const variables = variablesIn(html, text)
  const filled = Object.fromEntries(variables.flatMap((each) => (data[each] ? [[each, data[each]]] : [])))
  return (
    <form {...form.props}>
      <Page
        title={stored?.name ?? 'New template'}
        above={<Go to="/templates">Templates</Go>}
        actions={mayEdit && <Actions {...{ stored, intent, isChanged }} isBusy={form.isBusy} />}
      >
        <State stored={stored} isChanged={isChanged} />
        <FormFault form={form} />
        <div className="writing">
          <div className="form">
            <Field label="Name" maxLength={200} readOnly={!mayEdit} {...form.field('name')} autoFocus={!stored} />
            <CodeEditor
              label="HTML"
              language="html"
              value={html}
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
          <div className="writing-preview">
            <TestData
              variables={variables}
              data={data}
              onChange={(changes) => setData((before) => ({ ...before, ...changes }))}
            />
            <section className="section" aria-label="Preview">
              <h2>Preview</h2>
              <ContentPreview
                hasSubject={false}
                request={{ kind: 'template', html: html || null, text: text || null, variables: filled }}
              />
            </section>
          </div>
        </div>
      </Page>
    </form>
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

/** A template begins as a draft, so that publishing a new one takes two requests. */
async function create(body: object, status: object): Promise<Template> {
  const made = await post<Template>(templatesPath, body)
  return 'status' in status ? patch<Template>(`${templatesPath}/${made.id}`, status) : made
}

/** The browser asks before it leaves the page with changes that are not saved. */
function useWarning(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isChanged])
}
