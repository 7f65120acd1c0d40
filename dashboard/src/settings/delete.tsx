import { remove } from '../api/request.ts'
import { useLeave } from '../session/leave.ts'
import { useMay } from '../session/me.ts'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Field } from '../ui/form/field.tsx'
import { Form, useForm } from '../ui/form/form.tsx'
import { Section } from '../ui/frame/section.tsx'
import { useTeam } from './team.ts'

/** The end of the team, which its owners alone may bring about. */
export function DeleteTeam() {
  const { data: team } = useTeam()
  const mayDelete = useMay('DELETE /v1/team')
  if (team === undefined) return null
  return (
    <Section title="Delete the team" className="settings-part">
      <p className="muted">
        {mayDelete
          ? 'Access, API keys, sends that wait, schedules and webhooks stop at once. The data is removed after that.'
          : 'Only owners can delete the team.'}
      </p>
      {mayDelete && (
        <div className="actions">
          <DialogButton name={`Delete ${team.name}`} title={`Delete ${team.name}?`} kind="danger">
            {(close) => <DeleteForm name={team.name} onClose={close} />}
          </DialogButton>
        </div>
      )}
    </Section>
  )
}

function DeleteForm({ name, onClose }: { name: string; onClose: () => void }) {
  const leave = useLeave()
  const form = useForm({ confirm: '' }, async ({ confirm }) => {
    await leave(() => remove('/v1/team', { body: { confirm } }))
    say(`${name} is deleted`)
  })
  return (
    <Form
      form={form}
      verb="Delete"
      kind="danger"
      onBack={onClose}
      lead={
        <p>
          Everything of this team is removed, for all its members. This cannot be undone. Type <strong>{name}</strong>{' '}
          to confirm.
        </p>
      }
    >
      <Field label="Name of the team" maxLength={100} {...form.field('confirm')} autoFocus />
    </Form>
  )
}
