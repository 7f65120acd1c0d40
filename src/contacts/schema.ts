import Type, { type Static } from 'typebox'
import {
  AnyObject,
  Body,
  ListQueryOf,
  Nullable,
  Page,
  Resource,
  Search,
  Strict,
  Timestamp,
  Uuid,
} from '../platform/http/schema/schema.ts'
import { eachText } from './fields.ts'
import { rowsMax } from './import/bounds.ts'

const Properties = AnyObject({
  description: 'Any JSON object of at most 64 KiB.',
  examples: [{ city: 'London', orders: 3 }],
})

const fields = {
  ...eachText((_name, { lengthMax, description, example }) =>
    Type.Optional(Nullable(Type.String({ maxLength: lengthMax, description, examples: [example] }))),
  ),
  properties: Type.Optional(Properties),
}

export const NewContact = Body('NewContact', {
  email: Type.String({
    minLength: 3,
    maxLength: 320,
    description: 'The bare address, kept as given. It is unique within the team, whatever its case.',
    examples: ['ada@example.com'],
  }),
  ...fields,
})
export type NewContact = Static<typeof NewContact>

export const ContactChanges = Body(
  'ContactChanges',
  { ...fields, unsubscribed: Type.Optional(Type.Boolean({ description: '`false` is the only way back in.' })) },
  { minProperties: 1 },
)
export type ContactChanges = Static<typeof ContactChanges>

const filter = {
  search: Search,
  segmentId: Type.Optional(Type.String({ ...Uuid, description: 'Only contacts in this segment.' })),
  topicId: Type.Optional(Type.String({ ...Uuid, description: 'Only contacts that are opted in to this topic.' })),
  unsubscribed: Type.Optional(Type.Boolean({ description: 'Only those that are, or are not, unsubscribed.' })),
}

export const ContactExportQuery = Strict(filter)
export type ContactExportQuery = Static<typeof ContactExportQuery>

export const ContactQuery = ListQueryOf(filter)
export type ContactQuery = Static<typeof ContactQuery>

/**
 * Values are checked row by row, so that an invalid value rejects its row only. An unknown field refuses the whole
 * request.
 */
const Row = Strict({
  email: Type.Optional(Type.Unknown({ description: 'Required: the bare address.', examples: ['ada@example.com'] })),
  ...eachText((_name, { description, example }) => Type.Optional(Type.Unknown({ description, examples: [example] }))),
  unsubscribed: Type.Optional(
    Type.Unknown({ description: '`true` unsubscribes; `false` never resubscribes.', examples: [false] }),
  ),
  properties: Type.Optional(
    Type.Unknown({
      description: 'An object. It joins the properties that the contact has, 64 KiB at most together.',
      examples: [{ city: 'London' }],
    }),
  ),
})
export type ImportRow = Static<typeof Row>

export const Import = Body(
  'ContactImport',
  {
    contacts: Type.Array(Row, { maxItems: rowsMax, examples: [[{ email: 'ada@example.com', firstName: 'Ada' }]] }),
    segmentId: Type.Optional(Type.String({ ...Uuid, description: 'Every contact of the import is added to it.' })),
  },
  { examples: [{ contacts: [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }] }] },
)
export type Import = Static<typeof Import>

export const ImportResult = Resource('ContactImportResult', {
  created: Type.Integer(),
  updated: Type.Integer(),
  skipped: Type.Integer({ description: 'Rows that changed nothing or were in error.' }),
  errors: Type.Array(Type.Object({ index: Type.Integer(), email: Nullable(Type.String()), message: Type.String() })),
})

export const Contact = Resource('Contact', {
  id: Uuid,
  email: Type.String({ examples: ['ada@example.com'] }),
  ...eachText(() => Nullable(Type.String())),
  unsubscribed: Type.Boolean(),
  properties: Properties,
  segments: Type.Array(Type.Object({ segmentId: Uuid, name: Type.String() }), { description: 'The newest 1000.' }),
  topics: Type.Array(Type.Object({ topicId: Uuid, name: Type.String() }), {
    description: 'Those opted in to; the newest 1000.',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const ContactPage = Page(Contact)

export const ContactCount = Resource('ContactCount', {
  total: Type.Integer({ examples: [5000] }),
  unsubscribed: Type.Integer({ description: 'How many of them are unsubscribed.', examples: [42] }),
})
