import { eventTypes } from '../../../src/webhooks/event-types.ts'
import { faultAt } from '../api/refusal.ts'
import { useKeptForm } from '../drafts/use-kept-form.ts'
import type { Draft } from '../drafts/with-draft.tsx'
import { Field, Group, Tick } from '../ui/form/field.tsx'
import { Form, type useForm } from '../ui/form/form.tsx'
import { type EventType, type Webhook, wordsOf } from './webhook.ts'

export type WebhookValues = Pick<Webhook, 'endpointUrl' | 'events' | 'includeTest'>

type Props = {
  verb: string
  draft: Draft
  before: WebhookValues
  onSubmit: (values: WebhookValues) => Promise<unknown>
}

/** The endpoint of a webhook, its events, and whether it gets those of test keys. */
export function WebhookForm({ verb, draft, before, onSubmit }: Props) {
  const chosen = Object.fromEntries(eventTypes.map((event) => [event, before.events.includes(event)]))
  const form = useKeptForm<Record<string, string | boolean>>(
    draft,
    { endpointUrl: before.endpointUrl, includeTest: before.includeTest, ...chosen },
    (values) =>
      onSubmit({
        endpointUrl: String(values.endpointUrl).trim(),
        events: eventTypes.filter((event) => values[event] === true),
        includeTest: values.includeTest === true,
      }),
    Object.fromEntries(eventTypes.map((event) => [event, 'events'])),
  )
  return (
    <Form form={form} verb={verb}>
      <Field
        label="Endpoint URL"
        type="url"
        hint="An https:// address of yours. Posthorn posts each event to it as JSON."
        placeholder="https://"
        maxLength={2000}
        {...form.field('endpointUrl')}
        autoFocus
      />
      <Group label="Events" fault={faultAt(form.error, 'events')}>
        <div className="webhook-events">
          {eventTypes.map((event) => (
            <EventTick key={event} event={event} tick={form.tick(event)} />
          ))}
        </div>
      </Group>
      <Tick
        label="Include test events"
        hint="Events of messages that test keys sent, marked “mode”: “test”."
        {...form.tick('includeTest')}
      />
    </Form>
  )
}

function EventTick({ event, tick }: { event: EventType; tick: ReturnType<ReturnType<typeof useForm>['tick']> }) {
  return <Tick label={<span className="mono">{event}</span>} hint={wordsOf(event)} {...tick} />
}
