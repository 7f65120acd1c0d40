import Type, { type Static } from 'typebox'
import {
  AnyObject,
  Body,
  Dictionary,
  IdOf,
  ListQueryOf,
  Nullable,
  NullableTimestamp,
  Page,
  Resource,
  Search,
  Strict,
  TextEnum,
  Timestamp,
  Uuid,
} from '../platform/http/schema/schema.ts'
import { TimeRange } from '../platform/http/schema/time-range.ts'
import { renderedMax } from '../templates/render.ts'
import { recipientsMax, subjectMax } from './bounds.ts'
import { emailStatuses } from './messages/statuses.ts'

/** The number is ours: tags serve to find emails. */
const tagMax = 1000

const Address = Type.String({
  minLength: 3,
  maxLength: 1000,
  description: 'One address, with or without a name. An address that needs quotes before the `@` is refused.',
  examples: ['Ada <ada@example.com>'],
})
const Addresses = Type.Array(Address, {
  maxItems: recipientsMax,
  description: 'At most 50 in to, cc and bcc together.',
})

/** An attachment in base64 is bounded only by the limit of the whole body. */
const contentMax = 40 * 1024 * 1024
/**
 * Our own limit: a long invoice with variables for each line has some hundreds. Each variable costs time for which
 * other teams wait.
 */
const variablesMax = 1000

const Value = (maxLength: number) =>
  Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'], maxLength })

const Attachment = Strict({
  filename: Type.String({ minLength: 1, maxLength: 255, examples: ['invoice.pdf'] }),
  content: Type.String({
    maxLength: contentMax,
    description: 'Base64. All attachments together: 25 MiB after decoding.',
  }),
  contentType: Type.Optional(
    Type.String({ maxLength: 255, description: "Guessed from the filename's ending where left out." }),
  ),
  contentId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'For `<img src="cid:…">` in the HTML.' }),
  ),
})

export const SendEmailBody = Body(
  'NewEmail',
  {
    from: Type.String({
      minLength: 3,
      maxLength: 1000,
      description: 'An address of a verified domain of the team. A test key may use any address.',
      examples: ['Shop <hello@sandbox.test>'],
    }),
    to: Type.Array(Address, { minItems: 1, maxItems: recipientsMax, examples: [['ada@example.com']] }),
    subject: Type.String({ maxLength: subjectMax, examples: ['Your order has shipped'] }),
    html: Type.Optional(Type.String({ maxLength: renderedMax, examples: ['<p>Hello {{name}}</p>'] })),
    text: Type.Optional(Type.String({ maxLength: renderedMax, examples: ['Hello {{name}}'] })),
    cc: Type.Optional(Addresses),
    bcc: Type.Optional(Addresses),
    replyTo: Type.Optional(Address),
    scheduledAt: Type.Optional(Type.String({ format: 'date-time', description: 'In the future; sent then.' })),
    headers: Type.Optional(
      Dictionary(Type.String({ maxLength: subjectMax }), {
        description:
          'Further header fields. Those the platform sets, and those that give orders to mail services (`X-SMTPAPI`, `X-SES-…`), are refused.',
        maxProperties: 50,
      }),
    ),
    tags: Type.Optional(Dictionary(Value(tagMax), { maxProperties: 50 })),
    templateId: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'A published template. It supplies `html` and `text` if they are left out.',
      }),
    ),
    templateVariables: Type.Optional(
      Dictionary(Value(renderedMax), { maxProperties: variablesMax, examples: [{ name: 'Ada' }] }),
    ),
    attachments: Type.Optional(Type.Array(Attachment, { maxItems: 100 })),
  },
  { examples: [{ from: 'Shop <hello@sandbox.test>', to: ['ada@example.com'], subject: 'Hello', text: 'It works.' }] },
)
export type SendEmailBody = Static<typeof SendEmailBody>

/** The plan may allow fewer emails, which is checked when the batch is sent. */
export const SendBatchBody = Body('NewEmailBatch', {
  emails: Type.Array(SendEmailBody, { minItems: 1, maxItems: 100 }),
})

export const RescheduleBody = Body('EmailReschedule', {
  scheduledAt: Type.String({
    format: 'date-time',
    description: 'In the future; sent then instead.',
    examples: ['2031-01-31T09:30:00Z'],
  }),
})

export const Email = Resource('Email', {
  id: Uuid,
  from: Type.String(),
  to: Type.Array(Type.String()),
  cc: Nullable(Type.Array(Type.String())),
  bcc: Nullable(Type.Array(Type.String())),
  subject: Type.String(),
  html: Nullable(Type.String()),
  text: Nullable(Type.String()),
  tags: Nullable(AnyObject({ description: 'As they were given.', examples: [{ order: '1024' }] })),
  status: TextEnum(...emailStatuses),
  mode: TextEnum('live', 'test'),
  scheduledAt: NullableTimestamp,
  createdAt: Timestamp,
})
export type Email = Static<typeof Email>

export const EmailBatch = Resource('EmailBatch', { data: Type.Array(Email) })

export const EmailListItem = Resource('EmailListItem', {
  id: Uuid,
  from: Type.String(),
  to: Type.Array(Type.String()),
  subject: Type.String(),
  status: TextEnum(...emailStatuses),
  mode: TextEnum('live', 'test'),
  domainName: Type.String(),
  sentAt: NullableTimestamp,
  createdAt: Timestamp,
})
export type EmailListItem = Static<typeof EmailListItem>

export const EmailPage = Page(EmailListItem, {
  total: Type.Integer({ description: 'All that match the filters, constant over the pages.' }),
})

export const EmailListQuery = ListQueryOf({
  status: Type.Optional({ ...TextEnum(...emailStatuses), description: 'Only those with this status.' }),
  domainId: Type.Optional(IdOf('the domain that they were sent from')),
  tag: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: '`name:value`: the emails that have this tag.',
      examples: ['order:1024'],
    }),
  ),
  recipient: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 1000,
      description:
        'A whole address, whatever its case and the form of its domain: the emails that have it in to, cc or bcc.',
      examples: ['ada@example.com'],
    }),
  ),
  broadcastId: Type.Optional(IdOf('the broadcast that they belong to')),
  ...TimeRange,
  search: Search,
  find: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'A part of the subject or the from address, as in `search`. If it is a whole address, the emails to it as well. It takes the place of `search`.',
      examples: ['ada@example.com'],
    }),
  ),
})
export type EmailListQuery = Static<typeof EmailListQuery>

export const EmailEvents = Type.Array(
  Resource('EmailEvent', {
    id: Uuid,
    type: Type.String({ examples: ['delivered'] }),
    createdAt: Timestamp,
    data: Nullable(Type.Object({}, { additionalProperties: true })),
  }),
)
