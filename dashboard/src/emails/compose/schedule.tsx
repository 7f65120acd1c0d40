import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { toLocal } from '../../ui/form/local-time.ts'

const hourMs = 3_600_000

type Props = { onClose: () => void; onSchedule: (scheduledAt: string) => Promise<unknown> }

/** Asks when to send. Faults elsewhere in the email are shown here and at their fields. */
export function ScheduleDialog({ onClose, onSchedule }: Props) {
  const soon = toLocal(new Date(Date.now() + hourMs).toISOString())
  const form = useForm({ scheduledAt: soon }, ({ scheduledAt }) => onSchedule(scheduledAt))
  return (
    <Dialog title="Schedule" onClose={onClose}>
      <Form form={form} verb="Schedule" onBack={onClose}>
        <Field
          label="Send at"
          hint="In your time zone."
          type="datetime-local"
          {...form.field('scheduledAt')}
          autoFocus
        />
      </Form>
    </Dialog>
  )
}
