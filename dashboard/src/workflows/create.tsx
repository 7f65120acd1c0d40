import { useNavigate } from '@tanstack/react-router'
import { patch, post } from '../api/call.ts'
import { changed } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { DialogButton } from '../ui/dialog.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { FormFault, useForm } from '../ui/form.tsx'
import { say } from '../ui/toast.tsx'
import { nameMax, type Workflow, workflowsPath } from './workflow.ts'

export function CreateWorkflow() {
  const navigate = useNavigate()
  return (
    <DialogButton name="Create workflow" kind="main">
      {() => (
        <DetailsForm
          verb="Create"
          name=""
          description=""
          onSubmit={async (details) => {
            const { id } = await post<Workflow>(workflowsPath, details)
            changed('workflows')
            await navigate({ to: `/workflows/${id}` as never })
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
      verb="Save details"
      name={workflow.name}
      description={workflow.description ?? ''}
      onSubmit={async ({ name, description }) => {
        await patch(`${workflowsPath}/${workflow.id}`, { name, description: description ?? null })
        changed('workflows')
        say('Saved')
        onDone()
      }}
    />
  )
}

type FormProps = {
  verb: string
  name: string
  description: string
  onSubmit: (details: { name: string; description?: string }) => Promise<unknown>
}

function DetailsForm({ verb, name, description, onSubmit }: FormProps) {
  const form = useForm({ name, description }, ({ name: newName, description: text }) =>
    onSubmit({ name: newName.trim(), ...(text.trim() !== '' && { description: text.trim() }) }),
  )
  return (
    <form className="form" {...form.props}>
      <FormFault form={form} />
      <Field label="Name" maxLength={nameMax} {...form.field('name')} autoFocus />
      <TextArea label="Description" isOptional maxLength={5000} {...form.field('description')} />
      <div className="dialog-actions">
        <Button type="submit" kind="main" isBusy={form.isBusy}>
          {verb}
        </Button>
      </div>
    </form>
  )
}
