import { useState } from 'react'
import { changed } from '../api/client.ts'
import { patch, post } from '../api/request.ts'
import { WithKept } from '../typing/with-kept.tsx'
import { ActionButton } from '../ui/button/action-button.tsx'
import { ConfirmButton } from '../ui/dialog/confirm.tsx'
import { DeleteShown } from '../ui/dialog/delete-shown.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { useHeldAnswer } from '../ui/dialog/use-held-history.ts'
import { SigningSecret } from './signing-secret.tsx'
import { hostOf, type Webhook } from './webhook.ts'
import { WebhookForm } from './webhook-form.tsx'

type Props = { webhook: Webhook }

/** *Edit webhook*: endpoint, events and test events. */
export function EditWebhook({ webhook }: Props) {
  return (
    <DialogButton name="Edit webhook">
      {(close) => (
        <WithKept page={`webhooks/${webhook.id}`}>
          {(kept) => (
            <WebhookForm
              {...{ verb: 'Save', kept, before: webhook }}
              onSubmit={async (changes) => {
                if (Object.keys(changes).length > 0) await patch('/v1/webhooks/:id', { id: webhook.id, body: changes })
                changed('webhooks')
                say('The webhook is saved')
                close()
              }}
            />
          )}
        </WithKept>
      )}
    </DialogButton>
  )
}

/** *Pause* asks, since pending deliveries fail by it; *Switch on* does not. */
export function PauseWebhook({ webhook }: Props) {
  const set = async (status: Webhook['status']) => {
    await patch('/v1/webhooks/:id', { id: webhook.id, body: { status } })
    changed('webhooks')
    say(status === 'active' ? 'The webhook is switched on' : 'The webhook is paused')
  }
  if (webhook.status === 'active') {
    return (
      <ConfirmButton name={`Pause ${hostOf(webhook)}`} short="Pause" verb="Pause" onConfirm={() => set('inactive')}>
        <p>
          It gets no more events, and deliveries that are pending fail. What happens while it is paused is not sent
          later.
        </p>
      </ConfirmButton>
    )
  }
  return <ActionButton run={() => set('active')}>Switch on</ActionButton>
}

/** *Rotate secret*: makes a new signing secret, which is shown once. */
export function RotateSecret({ webhook }: Props) {
  const [secret, setSecret] = useState<string | null>(null)
  const held = useHeldAnswer()
  return (
    <>
      <ConfirmButton
        name="Rotate secret"
        verb="Rotate"
        onConfirm={async () => {
          const rotated = await held(post('/v1/webhooks/:id/rotate-secret', { id: webhook.id }))
          changed('webhooks')
          setSecret(rotated.signingSecret)
        }}
      >
        <p>
          Deliveries are signed with a new secret at once. For 24 hours they carry a second signature, made with the
          present one.
        </p>
      </ConfirmButton>
      {secret !== null && <SigningSecret value={secret} onDone={() => setSecret(null)} />}
    </>
  )
}

export function DeleteWebhook({ webhook }: Props) {
  return (
    <DeleteShown noun="webhooks" id={webhook.id} name={hostOf(webhook)}>
      It gets no more events, and its deliveries are deleted with it. This cannot be undone.
    </DeleteShown>
  )
}
