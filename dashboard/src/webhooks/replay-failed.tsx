import { changed } from '../api/client.ts'
import { post } from '../api/request.ts'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Field } from '../ui/form/field.tsx'
import { Form, useForm } from '../ui/form/form.tsx'
import { fromLocal, toLocal } from '../ui/form/local-time.ts'
import { countOf } from '../ui/text/words.ts'
import type { Webhook } from './webhook.ts'

const dayMs = 24 * 3_600_000

/** *Replay failed deliveries*: sends again all that failed since a time. */
export function ReplayFailed({ webhook }: { webhook: Webhook }) {
  return (
    <DialogButton name="Replay failed deliveries">
      {(close) => <ReplayForm webhook={webhook} onDone={close} />}
    </DialogButton>
  )
}

function ReplayForm({ webhook, onDone }: { webhook: Webhook; onDone: () => void }) {
  const yesterday = toLocal(new Date(Date.now() - dayMs).toISOString())
  const form = useForm({ since: yesterday }, async ({ since }) => {
    const { queued } = await post('/v1/webhooks/:id/replay', {
      id: webhook.id,
      body: {
        since: fromLocal(since),
      },
    })
    changed('webhooks')
    const many = countOf(queued, 'delivery', 'deliveries')
    say(queued === 0 ? 'Nothing failed since then' : `${many} will be sent again`)
    onDone()
  })
  return (
    <Form form={form} verb="Replay">
      <p>Sends again what failed for good, oldest first, as new deliveries. What was replayed before is left out.</p>
      <Field label="Failed since" type="datetime-local" {...form.field('since')} />
    </Form>
  )
}
