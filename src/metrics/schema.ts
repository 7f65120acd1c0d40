import Type, { type Static, type TSchema } from 'typebox'
import { IdOf, Resource, Strict, TextEnum, Timestamp, Uuid } from '../platform/http/schema/schema.ts'

const range = {
  from: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'The first point holds this moment. The last 30 days if it is left out.',
    }),
  ),
  until: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'The last point ends at or after this moment. Now if it is left out.',
    }),
  ),
  interval: Type.Optional({ ...TextEnum('hour', 'day'), default: 'day', description: 'The length of a point.' }),
  timezone: Type.Optional(
    Type.String({
      maxLength: 100,
      default: 'UTC',
      description:
        'The time zone of the days. Days begin at a full hour, the nearest one where the zone is off by part of an hour.',
      examples: ['Europe/Berlin'],
    }),
  ),
}
const workflowId = Type.Optional(IdOf('the workflow'))

export const MetricsQuery = Strict(range)
export const WorkflowMetricsQuery = Strict({ ...range, workflowId })
export const EmailMetricsQuery = Strict({
  ...range,
  domainId: Type.Optional(IdOf('the domain that they were sent from')),
  broadcastId: Type.Optional(IdOf('the broadcast that they belong to')),
  workflowId: Type.Optional({ ...Uuid, description: 'The emails that `send_email` nodes of this workflow sent.' }),
  tag: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: '`name:value`: the emails that have this tag.',
      examples: ['order:1024'],
    }),
  ),
})

function Count(description: string) {
  return Type.Integer({ description })
}

const email = {
  accepted: Count('Emails that were accepted.'),
  sent: Count('Emails that were handed over.'),
  delivered: Count('Emails that a server took, or whose recipient complained.'),
  delayed: Count('Emails that were delayed at least once.'),
  bounced: Count('Emails that a recipient refused permanently.'),
  softBounced: Count('Emails that a recipient refused, although a later one may arrive.'),
  complained: Count('Emails that a recipient reported as spam.'),
  unsubscribed: Count('Emails of broadcasts whose recipient unsubscribed. The newest one of the contact counts.'),
  opened: Count('Openings by people.'),
  clicked: Count('Clicks by people.'),
  uniqueOpened: Count('Emails that were opened for the first time.'),
  uniqueClicked: Count('Emails in which a link was clicked for the first time.'),
}
const sms = {
  accepted: Count('Messages that were accepted.'),
  sent: Count('Messages that the provider passed on to a carrier.'),
  delivered: Count('Messages that arrived.'),
  undelivered: Count('Messages that a carrier could not deliver.'),
  failed: Count('Messages that failed before a carrier had them.'),
  segments: Count('Segments of the accepted messages.'),
  costCents: Type.Number({ description: 'The price of the messages that the provider took, in US cents.' }),
}
const whatsapp = {
  sent: Count('Messages that the provider took.'),
  delivered: Count('Messages that arrived.'),
  read: Count('Messages that were read.'),
  failed: Count('Messages that failed.'),
  received: Count('Messages from customers.'),
}
const workflow = {
  started: Count('Executions that were started.'),
  completed: Count('Executions that completed.'),
  failed: Count('Executions that failed.'),
  cancelled: Count('Executions that were cancelled.'),
}
const webhook = {
  delivered: Count('Deliveries that an endpoint took.'),
  failed: Count('Deliveries that were given up.'),
  attempts: Count('Attempts, successful or not.'),
  p95Ms: Type.Integer({
    description:
      'The duration in milliseconds that 95 % of the attempts did not exceed, estimated from a histogram. 0 without attempts.',
  }),
}

type Described = TSchema & { description?: string }

function Metrics<T extends Record<string, TSchema>>(noun: string, counts: T) {
  const point = Type.Object({
    at: { ...Timestamp, description: 'The beginning of the point.' },
    ...undescribed(counts),
  })
  const data = Type.Array(point, { description: 'The figures of each point. `total` describes them.' })
  return Resource(`${noun}Metrics`, { data, total: Type.Object(counts) })
}

function undescribed<T extends Record<string, TSchema>>(counts: T): T {
  const fields = Object.entries(counts).map(([name, { description: _, ...count }]: [string, Described]) => [
    name,
    count,
  ])
  return Object.fromEntries(fields)
}

export const EmailMetrics = Metrics('Email', email)
export const SmsMetrics = Metrics('Sms', sms)
export const WhatsappMetrics = Metrics('Whatsapp', whatsapp)
export const WorkflowMetrics = Metrics('Workflow', workflow)
export const WebhookMetrics = Metrics('Webhook', webhook)
export type EmailMetricsQuery = Static<typeof EmailMetricsQuery>
