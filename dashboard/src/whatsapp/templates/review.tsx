import { useAll } from '../../api/all.ts'
import { changed } from '../../api/client.ts'
import { post } from '../../api/request.ts'
import { useChange } from '../../api/use-one.ts'
import { useInstallation } from '../../session/installation.ts'
import { useMay, whoMay } from '../../session/me.ts'
import { Button } from '../../ui/button/button.tsx'
import { DialogButton } from '../../ui/dialog/dialog.tsx'
import { say } from '../../ui/dialog/toast.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Go } from '../../ui/go/go.tsx'
import { Fault } from '../../ui/text/fault.tsx'
import type { Template } from './template.ts'

type Verdict = { status: Extract<Template['status'], 'approved' | 'rejected'>; reason?: string }
/** `wabaIds` are the accounts of the team. One of them has the template. */
type Reviewed = { template: Template; wabaIds: string[] }

/** Answers in the place of WhatsApp where `capture` keeps all messages, since WhatsApp never sees the template. */
export function Review({ template }: { template: Template }) {
  const isCaptured = useInstallation().data?.providers.whatsapp === 'capture'
  const mayReview = useMay('POST /providers/capture/whatsapp')
  const senders = useAll('/v1/whatsapp/senders')
  if (!isCaptured || template.status !== 'submitted' || senders === undefined) return null
  if (!mayReview) return <p className="muted">{whoMay('POST /providers/capture/whatsapp')} answer as WhatsApp.</p>
  const wabaIds = [...new Set(senders.flatMap(({ wabaId }) => wabaId ?? []))]
  if (wabaIds.length > 0) return <Answer template={template} wabaIds={wabaIds} />
  return (
    <p className="muted">
      The answer of WhatsApp names an account. <Go to="/whatsapp/senders">Add a WhatsApp sender</Go> with a WhatsApp
      Business Account ID to simulate it.
    </p>
  )
}

function Answer(reviewed: Reviewed) {
  const approve = useChange(() => answer(reviewed, { status: 'approved' }), 'whatsapp/templates')
  return (
    <section className="form" aria-label="Answer as WhatsApp">
      <p className="muted">
        WhatsApp messages are captured here, so WhatsApp does not review the template. Answer in its place.
      </p>
      <Fault error={approve.error} />
      <div className="actions">
        <Button isBusy={approve.isPending} onClick={() => approve.mutate(undefined)}>
          Approve
        </Button>
        <DialogButton name="Reject">{(close) => <RejectForm {...reviewed} onDone={close} />}</DialogButton>
      </div>
    </section>
  )
}

function RejectForm({ onDone, ...reviewed }: Reviewed & { onDone: () => void }) {
  const form = useForm({ reason: '' }, async ({ reason }) => {
    await answer(reviewed, { status: 'rejected', ...(reason.trim() && { reason }) })
    changed('whatsapp/templates')
    onDone()
  })
  return (
    <Form form={form} verb="Reject" kind="danger" onBack={onDone}>
      <TextArea
        label="Reason"
        isOptional
        hint="What WhatsApp says of the template."
        rows={3}
        maxLength={reasonMax}
        {...form.field('reason')}
      />
    </Form>
  )
}

const reasonMax = 1000

/** Sends the verdict the way on which those of WhatsApp come in. */
async function answer({ template, wabaIds }: Reviewed, verdict: Verdict): Promise<void> {
  const { name: templateName, language } = template
  const events = wabaIds.map((wabaId) => ({ type: 'template_status', wabaId, templateName, language, ...verdict }))
  const { processed } = await post('/providers/capture/whatsapp', { body: { events } })
  if (processed === 0) throw new Error('The template is not waiting for an answer any more.')
  say(verdict.status === 'approved' ? 'The template is approved' : 'The template is rejected')
}
