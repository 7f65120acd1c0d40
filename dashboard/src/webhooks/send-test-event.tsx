import { useId, useState } from 'react'
import { eventTypes } from '../../../src/webhooks/event-types.ts'
import { changed } from '../api/client.ts'
import { post } from '../api/request.ts'
import { ActionButton } from '../ui/button/action-button.tsx'
import { say } from '../ui/dialog/toast.tsx'
import type { EventType, Webhook } from './webhook.ts'

/** Sends an event that did not happen. The one to send is chosen beside the button. */
export function SendTestEvent({ webhook }: { webhook: Webhook }) {
  const id = useId()
  const [eventType, setEventType] = useState<EventType>(webhook.events[0]!)
  const send = async () => {
    await post('/v1/webhooks/:id/test', { id: webhook.id, body: { eventType } })
    changed('webhooks')
    say('The test event is on its way')
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
        onChange={({ target }) => setEventType(eventTypes[target.selectedIndex]!)}
      >
        {eventTypes.map((event) => (
          <option key={event} value={event}>
            {event}
          </option>
        ))}
      </select>
      <ActionButton kind="main" run={send}>
        Send a test event
      </ActionButton>
    </div>
  )
}
