import { useState } from 'react'
import { eventTypes } from '../../../src/webhooks/event-types.ts'
import { changed } from '../api/client.ts'
import { type Prefetch, prefetchList, useList } from '../api/list.ts'
import { post } from '../api/request.ts'
import { useMay, whoMay } from '../session/me.ts'
import { Status } from '../status/status.tsx'
import { WithKept } from '../typing/with-kept.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { useHeldAnswer } from '../ui/dialog/use-held-history.ts'
import type { Column } from '../ui/table/columns.ts'
import { ListPage } from '../ui/table/list-page.tsx'
import { Time } from '../ui/text/time.tsx'
import { countOf } from '../ui/text/words.ts'
import { SigningSecret } from './signing-secret.tsx'
import type { Webhook } from './webhook.ts'
import { WebhookForm, type WebhookValues } from './webhook-form.tsx'

const columns: Column<Webhook>[] = [
  {
    name: 'Endpoint',
    width: '3fr',
    narrow: 'first',
    cell: ({ endpointUrl }) => <span className="mono">{endpointUrl}</span>,
  },
  { name: 'Events', width: '2fr', narrow: 'second', cell: eventsOf },
  {
    name: 'Test events',
    width: '88px',
    isExtra: true,
    cell: ({ includeTest }) => (includeTest ? 'Included' : 'Left out'),
  },
  { name: 'Status', width: '88px', narrow: 'first-end', cell: StatusOf },
  { name: 'Added', width: '128px', narrow: 'second-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

export const prefetch: Prefetch = (client) => prefetchList(client, '/v1/webhooks')

export default function Webhooks() {
  const list = useList('/v1/webhooks')
  const mayChange = useMay('POST /v1/webhooks')
  return (
    <ListPage
      title="Webhooks"
      actions={mayChange && <AddWebhook />}
      notice={!mayChange && `${whoMay('POST /v1/webhooks')} add and change webhooks.`}
      list={list}
      columns={columns}
      to={({ id }) => `/webhooks/${id}`}
      none="No webhooks yet"
    >
      <p>Posthorn posts what happens to emails to an address of yours, signed, and tries again until it is taken.</p>
    </ListPage>
  )
}

function eventsOf({ events }: Webhook) {
  if (events.length === eventTypes.length) return 'All events'
  return (
    <span title={events.join(', ')}>{events.length > 2 ? countOf(events.length, 'event') : events.join(', ')}</span>
  )
}

export function StatusOf({ status }: Pick<Webhook, 'status'>) {
  return <Status of={status} label={status === 'active' ? 'Active' : 'Paused'} />
}

const emptyWebhook: WebhookValues = { endpointUrl: '', events: [], includeTest: false, signatureScheme: 'posthorn' }

/** The button *Add webhook*, its dialog, and then the signing secret, which is shown once. */
function AddWebhook() {
  const [secret, setSecret] = useState<string | null>(null)
  const held = useHeldAnswer()
  return (
    <>
      <DialogButton name="Add webhook" kind="main">
        {(close) => (
          <WithKept page="webhooks/new">
            {(kept) => (
              <WebhookForm
                {...{ verb: 'Add', kept, before: emptyWebhook }}
                onSubmit={async (changes) => {
                  const webhook = await held(post('/v1/webhooks', { body: { ...emptyWebhook, ...changes } }))
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
