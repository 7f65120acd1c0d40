import { nameMax } from '../../../src/workflows/graph/graph.ts'
import { changed } from '../api/client.ts'
import { filled } from '../api/objects.ts'
import { patch, post } from '../api/request.ts'
import { useKeptFollowedForm } from '../typing/use-followed-form.ts'
import { type Kept, WithKept } from '../typing/with-kept.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Field, TextArea } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { useGoOn } from '../ui/go/use-go.ts'
import type { Workflow } from './workflow.ts'

export function CreateWorkflow() {
  const go = useGoOn()
  return (
    <DialogButton name="Create workflow" kind="main">
      {() => (
        <DetailsForm
          page="workflows/new"
          verb="Create"
          name=""
          description=""
          onSubmit={async (details) => {
            const { id } = await post('/v1/workflows', { body: { name: '', ...filled(details) } })
            changed('workflows')
            await go(`/workflows/${id}`)
          }}
        />
      )}
    </DialogButton>
  )
}

/** Changes name and description at once, without the graph. */
export function EditDetails({ workflow, onDone }: { workflow: Workflow; onDone: () => void }) {
  return (
    <DetailsForm
      page={`workflows/${workflow.id}/details`}
      verb="Save details"
      name={workflow.name}
      description={workflow.description ?? ''}
      onSubmit={async ({ description, ...name }) => {
        const body = { ...name, ...(description !== undefined && { description: description || null }) }
        if (Object.keys(body).length > 0) await patch('/v1/workflows/:id', { id: workflow.id, body })
        changed('workflows')
        say('Saved')
        onDone()
      }}
    />
  )
}

type FormProps = {
  /** The name under which the browser keeps what is not saved. */
  page: string
  verb: string
  name: string
  description: string
  /** Receives the fields that the person filled or changed. */
  onSubmit: (changes: { name?: string; description?: string }) => Promise<unknown>
}

function DetailsForm(props: FormProps) {
  return <WithKept page={props.page}>{(kept) => <DetailsFields {...props} kept={kept} />}</WithKept>
}

function DetailsFields({ verb, name, description, onSubmit, kept }: FormProps & { kept: Kept }) {
  const form = useKeptFollowedForm(kept, { name, description }, (changes) =>
    onSubmit({
      ...(changes.name !== undefined && { name: changes.name.trim() }),
      ...(changes.description !== undefined && { description: changes.description.trim() }),
    }),
  )
  return (
    <Form form={form} verb={verb}>
      <Field label="Name" maxLength={nameMax} {...form.field('name')} autoFocus />
      <TextArea label="Description" isOptional maxLength={5000} {...form.field('description')} />
    </Form>
  )
}
