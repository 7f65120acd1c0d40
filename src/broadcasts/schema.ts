import Type, { type Static } from 'typebox'
import { variableNames } from '../contacts/fields.ts'
import { subjectMax } from '../emails/bounds.ts'
import {
  Body,
  documentMax,
  Name,
  Nullable,
  NullableTimestamp,
  Page,
  Resource,
  TextEnum,
  Timestamp,
  Uuid,
} from '../platform/http/schema/schema.ts'

const content = {
  name: Name({ maxLength: 200, examples: ['June news'] }),
  from: Type.String({
    minLength: 3,
    maxLength: 1000,
    description: 'An address of a domain that is verified when the broadcast is sent.',
    examples: ['Shop <hello@sandbox.test>'],
  }),
  segmentId: Uuid,
  subject: Type.String({ minLength: 1, maxLength: subjectMax, examples: ['News for {{firstName}}'] }),
}

const names = ['email', ...variableNames, 'unsubscribeUrl'].map((name) => `\`{{${name}}}\``)
const variables = `${names.join(', ')} and \`{{properties.x}}\` are filled in.`

const optional = {
  html: Type.Optional(
    Nullable(
      Type.String({
        maxLength: documentMax,
        description: `${variables} Values are HTML-escaped, and percent-encoded in links.`,
        examples: ['<p>Hello {{firstName}}</p>'],
      }),
    ),
  ),
  text: Type.Optional(
    Nullable(Type.String({ maxLength: documentMax, description: 'Made from the HTML where it is left out.' })),
  ),
  topicId: Type.Optional(
    Nullable(Type.String({ format: 'uuid', description: 'Only contacts opted in to it get it.' })),
  ),
  replyTo: Type.Optional(Nullable(Type.String({ minLength: 3, maxLength: 1000 }))),
  scheduledAt: Type.Optional(
    Nullable(Type.String({ format: 'date-time', description: 'In the future; once sent, it waits until then.' })),
  ),
}

export const NewBroadcast = Body('NewBroadcast', { ...content, ...optional })
export type NewBroadcast = Static<typeof NewBroadcast>

export const BroadcastChanges = Body(
  'BroadcastChanges',
  {
    name: Type.Optional(content.name),
    from: Type.Optional(content.from),
    segmentId: Type.Optional(content.segmentId),
    subject: Type.Optional(content.subject),
    ...optional,
  },
  { minProperties: 1 },
)
export type BroadcastChanges = Static<typeof BroadcastChanges>

export const Broadcast = Resource('Broadcast', {
  id: Uuid,
  name: Type.String(),
  from: Type.String(),
  segmentId: Uuid,
  segmentName: Type.String(),
  topicId: Nullable(Uuid),
  replyTo: Nullable(Type.String()),
  subject: Type.String(),
  html: Nullable(Type.String()),
  text: Nullable(Type.String()),
  status: TextEnum('draft', 'scheduled', 'queued', 'sending', 'sent'),
  mode: TextEnum('live', 'test'),
  scheduledAt: NullableTimestamp,
  sentAt: NullableTimestamp,
  createdAt: Timestamp,
})
export type Broadcast = Static<typeof Broadcast>

export const BroadcastList = Page(Broadcast)

const Count = Type.Integer({ minimum: 0 })

export const BroadcastStats = Resource(
  'BroadcastStats',
  {
    total: Count,
    sent: Count,
    delivered: Count,
    opened: Count,
    clicked: Count,
    bounced: Type.Integer({
      minimum: 0,
      description:
        'Emails that never arrive, whether or not the address is at fault. One that counts as failed is not among them.',
    }),
    complained: Count,
    skipped: Type.Object({
      unsubscribed: Count,
      suppressed: Count,
      notOptedIn: Count,
      cancelled: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Present if it was stopped: the recipients that were not reached.' }),
      ),
      failed: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'Present if some emails could not be made or sent, whatever was tried.',
        }),
      ),
    }),
  },
  { description: 'Recipients that ever reached each. `total` is everybody in the segment when dispatch began.' },
)
export type BroadcastStats = Static<typeof BroadcastStats>
