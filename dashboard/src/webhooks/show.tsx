import { type Prefetch, prefetchList } from '../api/list.ts'
import { oneOf, useOne } from '../api/use-one.ts'
import { useMay } from '../session/me.ts'
import { CopyButton } from '../ui/button/copy.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Fetch, titleWithout } from '../ui/frame/states.tsx'
import { usePathPart } from '../ui/go/address.ts'
import { Go } from '../ui/go/go.tsx'
import { Fact, Facts } from '../ui/text/facts.tsx'
import { Time } from '../ui/text/time.tsx'
import { DeleteWebhook, EditWebhook, PauseWebhook, RotateSecret } from './change.tsx'
import { Deliveries } from './deliveries.tsx'
import { StatusOf } from './list.tsx'
import { hostOf, type Webhook } from './webhook.ts'

export const prefetch: Prefetch = (client, { params }) => {
  void client.prefetchQuery(oneOf('/v1/webhooks/:id', { id: params.id! }))
  prefetchList(client, '/v1/webhooks/:id/deliveries', { id: params.id })
}

export default function ShowWebhook() {
  const query = useOne('/v1/webhooks/:id', { id: usePathPart('id') })
  const mayChange = useMay('PATCH /v1/webhooks/:id')
  const webhook = query.data
  return (
    <Page
      title={webhook ? hostOf(webhook) : titleWithout(query.error, 'Webhook')}
      above={<Go to="/webhooks">Webhooks</Go>}
      actions={webhook && mayChange && <Changes webhook={webhook} />}
    >
      <Fetch query={query}>
        {(webhook) => (
          <>
            <WebhookFacts webhook={webhook} mayCopy={mayChange} />
            <Deliveries webhook={webhook} mayChange={mayChange} />
          </>
        )}
      </Fetch>
    </Page>
  )
}

function Changes({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <EditWebhook webhook={webhook} />
      <PauseWebhook webhook={webhook} />
      <RotateSecret webhook={webhook} />
      <DeleteWebhook webhook={webhook} />
    </>
  )
}

function WebhookFacts({ webhook, mayCopy }: { webhook: Webhook; mayCopy: boolean }) {
  return (
    <Facts>
      <Fact name="Status">
        <StatusOf status={webhook.status} />
        {webhook.status === 'inactive' && (
          <span className="muted"> It gets no deliveries until it is switched on.</span>
        )}
      </Fact>
      <Fact name="Endpoint URL">
        <span className="copied">
          <span className="mono">{webhook.endpointUrl}</span>
          {mayCopy && <CopyButton text={webhook.endpointUrl} name="Copy endpoint URL" isSmall />}
        </span>
      </Fact>
      <Fact name="Events">
        <span className="mono">{webhook.events.join(', ')}</span>
      </Fact>
      <Fact name="Test events">{webhook.includeTest ? 'Included' : 'Left out'}</Fact>
      <Fact name="Signature scheme">{webhook.signatureScheme === 'standard' ? 'Standard Webhooks' : 'Posthorn'}</Fact>
      <Fact name="Added">
        <Time at={webhook.createdAt} isExact />
      </Fact>
    </Facts>
  )
}
