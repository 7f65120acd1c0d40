import { useId, useState } from 'react'
import { eventTypes } from '../../../src/webhooks/event-types.ts'
import { post } from '../api/call.ts'
import { changed } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { say, sayFault } from '../ui/toast.tsx'
import { type DeliveryWithPayload, type EventType, type Webhook, webhooksPath } from './webhook.ts'

/** Sends an event that did not happen. The one to send is chosen beside the button. */
export function SendTestEvent({ webhook }: { webhook: Webhook }) {
  const id = useId()
  const [eventType, setEventType] = useState<EventType>(webhook.events[0]!)
  const [isBusy, setBusy] = useState(false)
  const send = () => {
    setBusy(true)
    post<DeliveryWithPayload>(`${webhooksPath}/${webhook.id}/test`, { eventType })
      .then(() => {
        changed('webhooks')
        say('The test event is on its way')
      })
      .catch(sayFault)
      .finally(() => setBusy(false))
  }
  return (
    <div className="actions">
      <label htmlFor={id} className="unseen">
        Test event
      </label>
      <select
        id={id}
        className="input webhook-test"
        value={eventType}
        onChange={(event) => setEventType(event.target.value as EventType)}
      >
        {eventTypes.map((event) => (
          <option key={event} value={event}>
            {event}
          </option>
        ))}
      </select>
      <Button kind="main" isBusy={isBusy} onClick={send}>
        Send a test event
      </Button>
    </div>
  )
}
