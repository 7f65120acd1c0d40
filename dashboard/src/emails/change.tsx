import { changed } from '../api/client.ts'
import { patch, post } from '../api/request.ts'
import { ConfirmButton } from '../ui/dialog/confirm.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Field } from '../ui/form/field.tsx'
import { Form, useForm } from '../ui/form/form.tsx'
import { fromLocal, toLocal } from '../ui/form/local-time.ts'
import type { Email } from './email.ts'

export function CancelEmail({ email }: { email: Email }) {
  return (
    <ConfirmButton
      name="Cancel email"
      verb="Cancel"
      kind="danger"
      onConfirm={async () => {
        await post('/v1/emails/:id/cancel', { id: email.id, mode: email.mode })
        changed('emails')
        say('The email is cancelled')
      }}
    >
      <p>It is not sent. This cannot be undone.</p>
    </ConfirmButton>
  )
}

export function Reschedule({ email }: { email: Email }) {
  return <DialogButton name="Reschedule">{(close) => <RescheduleForm email={email} onDone={close} />}</DialogButton>
}

function RescheduleForm({ email, onDone }: { email: Email; onDone: () => void }) {
  const before = toLocal(email.scheduledAt)
  const form = useForm({ scheduledAt: before }, async ({ scheduledAt: local }) => {
    // The field has no seconds, and an hour that clocks repeat is the first of the two there.
    const scheduledAt = email.scheduledAt !== null && local === before ? email.scheduledAt : fromLocal(local)
    await patch('/v1/emails/:id', { id: email.id, mode: email.mode, body: { scheduledAt } })
    changed('emails')
    say('The email is rescheduled')
    onDone()
  })
  return (
    <Form form={form} verb="Reschedule" onBack={onDone}>
      <Field label="Send at" hint="In your time zone." type="datetime-local" {...form.field('scheduledAt')} autoFocus />
    </Form>
  )
}
