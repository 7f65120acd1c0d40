import { useState } from 'react'
import { changed } from '../api/client.ts'
import { post } from '../api/request.ts'
import { WithKept } from '../typing/with-kept.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { SigningSecret } from './signing-secret.tsx'
import { WebhookForm, type WebhookValues } from './webhook-form.tsx'

const emptyWebhook: WebhookValues = { endpointUrl: '', events: [], includeTest: false, signatureScheme: 'posthorn' }

/** The button *Add webhook*, its dialog, and then the signing secret, which is shown once. */
export function AddWebhook() {
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <>
      <DialogButton name="Add webhook" kind="main">
        {(close) => (
          <WithKept page="webhooks/new">
            {(kept) => (
              <WebhookForm
                {...{ verb: 'Add', kept, before: emptyWebhook }}
                onSubmit={async (values) => {
                  const webhook = await post('/v1/webhooks', { body: values })
                  changed('webhooks')
                  close()
                  setSecret(webhook.signingSecret)
                }}
              />
            )}
          </WithKept>
        )}
      </DialogButton>
      {secret !== null && <SigningSecret value={secret} onDone={() => setSecret(null)} />}
    </>
  )
}
