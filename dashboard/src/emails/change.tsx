import { patch, post, withQuery } from '../api/call.ts'
import { changed } from '../api/client.ts'
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
        await post(withQuery(`/v1/emails/${email.id}/cancel`, { mode: email.mode }))
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
  const form = useForm({ scheduledAt: toLocal(email.scheduledAt) }, async ({ scheduledAt }) => {
    await patch(withQuery(`/v1/emails/${email.id}`, { mode: email.mode }), { scheduledAt: fromLocal(scheduledAt) })
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
