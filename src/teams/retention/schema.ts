import Type, { type Static } from 'typebox'
import { Body, Nullable, Resource } from '../../platform/http/schema/schema.ts'

const retentionDaysMax = 36_500

function Days(about: string, minimum = 1) {
  return Nullable(Type.Integer({ minimum, maximum: retentionDaysMax, description: about, examples: [90] }))
}

const days = {
  emailBodiesDays: Days(
    'HTML, text and attachments of emails; 0 removes them as soon as nothing of the email is left to send.',
    0,
  ),
  emailsDays: Days('Emails with all that belongs to them.'),
  eventsDays: Days('Events of emails, SMS and WhatsApp messages.'),
  messagesDays: Days('SMS and WhatsApp messages.'),
  executionsDays: Days('Executions of workflows, counted from their end.'),
  inboxDays: Days('Messages in the inbox of the `capture` provider. It keeps the newest 10,000 in any case.'),
}

export const TeamRetention = Resource('Retention', days)

export const RetentionChanges = Body(
  'RetentionChanges',
  Object.fromEntries(Object.entries(days).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [Name in keyof typeof days]: ReturnType<typeof Type.Optional<(typeof days)[Name]>>
  },
  { minProperties: 1 },
)
export type RetentionChanges = Static<typeof RetentionChanges>
