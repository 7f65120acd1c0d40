import { changed } from '../../api/client.ts'
import { readObject } from '../../api/objects.ts'
import { type OnceKey, useOnceKey } from '../../api/once-key.ts'
import { Refusal } from '../../api/refusal.ts'
import { post } from '../../api/request.ts'
import { useKeep } from '../../typing/use-keep.tsx'
import { type Kept, WithKept } from '../../typing/with-kept.tsx'
import { CodeEditor } from '../../ui/code/code-editor.tsx'
import { DialogButton } from '../../ui/dialog/dialog.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { useGoOn } from '../../ui/go/use-go.ts'
import type { Workflow } from '../workflow.ts'
import type { EditorState } from './use-editor.ts'

type Props = { workflow: Workflow; editor: EditorState }
type Texts = { data: string; vars: string }
type Once = ReturnType<typeof useOnceKey>

/** Starts an execution with data of one's own, and shows it. */
export function RunWorkflow(props: Props) {
  return (
    <DialogButton name="Run" isWide>
      {(close) => (
        <WithKept page={`workflows/${props.workflow.id}/run`}>
          {(kept) => <RunForm {...props} kept={kept} onDone={close} />}
        </WithKept>
      )}
    </DialogButton>
  )
}

function RunForm({ workflow, editor, kept, onDone }: Props & { kept: Kept; onDone: () => void }) {
  const found = kept.found?.value as Partial<Texts & { key: OnceKey }> | undefined
  const once = useOnceKey(found?.key)
  const run = useRun({ workflow, editor }, once, onDone)
  const form = useForm({ data: found?.data ?? '{}', vars: found?.vars ?? '{}' }, async (texts) => {
    await run(texts, () => saved())
  })
  const { data, vars } = form.values
  const isActive = workflow.status === 'active'
  // The key of a request whose answer was lost is kept also where nothing was typed.
  const isChanged = data !== '{}' || vars !== '{}' || once.key.current.of !== ''
  const value = { data, vars, key: once.key.current }
  const { keptNotice, saved } = useKeep(kept, { value, isChanged, isBusy: form.isBusy })
  return (
    <Form form={{ ...form, keptNotice }} verb={isActive ? 'Run' : 'Activate and run'}>
      {!isActive && <p>The workflow is not active. It is saved and activated first, and stays active.</p>}
      <CodeEditor
        label="Trigger data"
        language="json"
        height={160}
        hint="What the trigger would give: {{trigger.…}} in settings of steps."
        value={data}
        onChange={(text) => form.set({ data: text })}
        fault={form.field('data').fault}
      />
      <CodeEditor
        label="Variables"
        language="json"
        height={96}
        hint="{{vars.…}} in settings of steps."
        isOptional
        value={vars}
        onChange={(text) => form.set({ vars: text })}
        fault={form.field('vars').fault}
      />
    </Form>
  )
}

/** Starts an execution with what is typed, and shows it. A workflow that is not active is activated first. */
function useRun({ workflow, editor }: Props, { headersFor }: Once, onDone: () => void) {
  const go = useGoOn()
  return async (texts: Texts, onStarted: () => void) => {
    const { data: triggerData, vars } = readObjects(texts)
    // The faults that keep it from being activated stand in the page.
    if (workflow.status !== 'active' && !(await editor.switchTo(true))) return onDone()
    const body = { triggerData, vars }
    const headers = headersFor(JSON.stringify(body))
    const { id } = await post('/v1/workflows/:id/executions', { id: workflow.id, body }, { headers })
    onStarted()
    changed('workflows')
    await go(`/workflows/${workflow.id}/executions/${id}`)
  }
}

const message = 'Write a JSON object, such as {"email": "ada@example.com"}.'

/** Reads the texts as JSON. Throws a refusal at those that are no objects. */
function readObjects(texts: Texts): Record<keyof Texts, Record<string, unknown>> {
  const [data, vars] = [readObject(texts.data.trim() || '{}'), readObject(texts.vars.trim() || '{}')]
  if (data && vars) return { data, vars }
  const errors = [...(data ? [] : ['data']), ...(vars ? [] : ['vars'])].map((path) => ({ path, message }))
  throw new Refusal(400, { message, errors })
}
