import { useQuery } from '@tanstack/react-query'
import { changed } from '../api/client.ts'
import { keys } from '../api/keys.ts'
import type { Prefetch } from '../api/list.ts'
import { get, post } from '../api/request.ts'
import { oneOf, useOne } from '../api/use-one.ts'
import { useMay } from '../session/me.ts'
import { Status } from '../status/status.tsx'
import { ActionButton } from '../ui/button/action-button.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Fetch, titleWithout } from '../ui/frame/states.tsx'
import { usePathPart } from '../ui/go/address.ts'
import { Go } from '../ui/go/go.tsx'
import { useGoOn } from '../ui/go/use-go.ts'
import { Fact, Facts } from '../ui/text/facts.tsx'
import { LongText } from '../ui/text/long-text.tsx'
import { Time } from '../ui/text/time.tsx'
import { Attempts } from './attempts.tsx'
import { type DeliveryWithPayload, hostOf } from './webhook.ts'

function attemptsOf(webhookId: string, id: string) {
  return {
    queryKey: keys.part(`webhooks/${webhookId}/deliveries`, 'attempts', { id }),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      get(
        '/v1/webhooks/:id/deliveries/:deliveryId/attempts',
        { id: webhookId, deliveryId: id, limit: 100 },
        { signal },
      ),
  }
}

export const prefetch: Prefetch = (client, { params }) => {
  void client.prefetchQuery(
    oneOf('/v1/webhooks/:id/deliveries/:deliveryId', { id: params.id!, deliveryId: params.deliveryId! }),
  )
  void client.prefetchQuery(attemptsOf(params.id!, params.deliveryId!))
}

export default function ShowDelivery() {
  const webhookId = usePathPart('id')
  const id = usePathPart('deliveryId')
  const query = useOne('/v1/webhooks/:id/deliveries/:deliveryId', { id: webhookId, deliveryId: id })
  const attempts = useQuery(attemptsOf(webhookId, id))
  const mayChange = useMay('POST /v1/webhooks/:id/deliveries/:deliveryId/replay')
  const delivery = query.data
  return (
    <Page
      title={delivery ? 'Delivery' : titleWithout(query.error, 'Delivery')}
      above={
        <>
          <Go to="/webhooks">Webhooks</Go> /{' '}
          <Go to={`/webhooks/${webhookId}`}>{delivery ? hostOf(delivery) : 'Webhook'}</Go>
        </>
      }
      actions={delivery && mayChange && <Replay delivery={delivery} />}
    >
      <Fetch query={query}>
        {(delivery) => (
          <>
            <DeliveryFacts delivery={delivery} />
            <Section title="Attempts">
              <Fetch query={attempts} lines={2}>
                {({ data }) => <Attempts attempts={data} />}
              </Fetch>
            </Section>
            <Section title="Payload">
              <LongText text={JSON.stringify(delivery.payload, null, 2)} isCode filename={`${delivery.id}.json`} />
            </Section>
          </>
        )}
      </Fetch>
    </Page>
  )
}

function DeliveryFacts({ delivery }: { delivery: DeliveryWithPayload }) {
  const { status, nextRetryAt } = delivery
  return (
    <Facts>
      <Fact name="Status">
        <Status of={status} />
        {nextRetryAt && (
          <span className="muted">
            {' '}
            Next attempt at <Time at={nextRetryAt} isExact />
          </span>
        )}
      </Fact>
      <Fact name="Event" isMono>
        {delivery.eventType}
      </Fact>
      <Fact name="Endpoint URL" isMono>
        {delivery.endpointUrl}
      </Fact>
      <Fact name="Created">
        <Time at={delivery.createdAt} isExact />
      </Fact>
      <Fact name="webhook-id" isMono>
        {delivery.id}
      </Fact>
    </Facts>
  )
}

/** Sends the payload again, and shows the new delivery. */
function Replay({ delivery }: { delivery: DeliveryWithPayload }) {
  const go = useGoOn()
  const replay = async () => {
    const of = { id: delivery.webhookId, deliveryId: delivery.id }
    const next = await post('/v1/webhooks/:id/deliveries/:deliveryId/replay', of)
    changed('webhooks')
    say('Sent again as a new delivery')
    await go(`/webhooks/${delivery.webhookId}/deliveries/${next.id}`)
  }
  return (
    <ActionButton kind="main" run={replay}>
      Replay
    </ActionButton>
  )
}
