import { eventTypes } from '../../../src/webhooks/event-types.ts'
import { faultAt } from '../api/refusal.ts'
import { useKeptFollowedForm } from '../typing/use-followed-form.ts'
import type { Kept } from '../typing/with-kept.tsx'
import { Field, Group, Select, Tick } from '../ui/form/field.tsx'
import { Form, type useForm } from '../ui/form/form.tsx'
import { type EventType, type Webhook, wordsOf } from './webhook.ts'

export type WebhookValues = Pick<Webhook, 'endpointUrl' | 'events' | 'includeTest' | 'signatureScheme'>

type Props = {
  verb: string
  kept: Kept
  before: WebhookValues
  /** Receives the fields that differ from `before`. */
  onSubmit: (changes: Partial<WebhookValues>) => Promise<unknown>
}

const schemes = [
  { value: 'posthorn', label: 'Posthorn' },
  { value: 'standard', label: 'Standard Webhooks' },
]

/** The endpoint of a webhook, its events, whether it gets those of test keys, and how it is signed. */
export function WebhookForm({ verb, kept, before, onSubmit }: Props) {
  const chosen = Object.fromEntries(eventTypes.map((event) => [event, before.events.includes(event)]))
  const form = useKeptFollowedForm<Record<string, string | boolean>>(
    kept,
    {
      ...{ endpointUrl: before.endpointUrl, includeTest: before.includeTest },
      ...{ signatureScheme: before.signatureScheme, ...chosen },
    },
    (changes) => onSubmit(bodyOf(changes, before)),
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
      <Select
        label="Signature scheme"
        hint="How the webhook- headers sign. Libraries of Standard Webhooks need theirs; svix- headers always follow it."
        options={schemes}
        {...form.field('signatureScheme')}
      />
    </Form>
  )
}

/** The events are sent together, those that the person has not touched as they are stored now. */
function bodyOf(changes: Partial<Record<string, string | boolean>>, { events }: WebhookValues): Partial<WebhookValues> {
  const { endpointUrl, includeTest, signatureScheme } = changes
  return {
    ...(endpointUrl !== undefined && { endpointUrl: String(endpointUrl).trim() }),
    ...(eventTypes.some((event) => event in changes) && {
      events: eventTypes.filter((event) => changes[event] ?? events.includes(event)),
    }),
    ...(includeTest !== undefined && { includeTest: includeTest === true }),
    ...(signatureScheme !== undefined && {
      signatureScheme: signatureScheme === 'standard' ? 'standard' : 'posthorn',
    }),
  }
}

function EventTick({ event, tick }: { event: EventType; tick: ReturnType<ReturnType<typeof useForm>['tick']> }) {
  return <Tick label={<span className="mono">{event}</span>} hint={wordsOf(event)} {...tick} />
}
