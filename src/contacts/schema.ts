import Type, { type Static } from 'typebox'
import { AnyObject, Cursor, Limit, Nullable, Page, Search, Strict, Timestamp, Uuid } from '../platform/http/schema.ts'
import { nameLengthMax } from './rules.ts'

/** Bounded by the request's 10 MiB too. */
export const rowsMax = 10_000

const Name = Nullable(Type.String({ maxLength: nameLengthMax, description: 'Empty clears.', examples: ['Ada'] }))
const PhoneNumber = Nullable(
  Type.String({ maxLength: 100, description: 'E.164. Empty clears.', examples: ['+447700900123'] }),
)
const Properties = AnyObject({
  description: 'Any JSON object of at most 64 KiB.',
  examples: [{ city: 'London', orders: 3 }],
})

const fields = {
  firstName: Type.Optional(Name),
  lastName: Type.Optional(Name),
  phoneNumber: Type.Optional(PhoneNumber),
  properties: Type.Optional(Properties),
}

export const NewContact = Strict({
  email: Type.String({
    minLength: 3,
    maxLength: 320,
    description: 'The bare address, kept as given; one contact of a team has it, whatever its case.',
    examples: ['ada@example.com'],
  }),
  ...fields,
})
export type NewContact = Static<typeof NewContact>

export const ContactChanges = Strict(
  { ...fields, unsubscribed: Type.Optional(Type.Boolean({ description: '`false` is the only way back in.' })) },
  { minProperties: 1 },
)
export type ContactChanges = Static<typeof ContactChanges>

export const ContactQuery = Strict({ limit: Limit, cursor: Cursor, search: Search })
export type ContactQuery = Static<typeof ContactQuery>

/** Values are checked row by row, so that a bad one costs its own row alone; a field nobody knows is a fault of the request. */
const Row = Strict({
  email: Type.Optional(Type.Unknown({ description: 'Required: the bare address.', examples: ['ada@example.com'] })),
  firstName: Type.Optional(Type.Unknown({ description: 'Text.', examples: ['Ada'] })),
  lastName: Type.Optional(Type.Unknown({ description: 'Text.', examples: ['Lovelace'] })),
  phoneNumber: Type.Optional(Type.Unknown({ description: 'E.164.', examples: ['+447700900123'] })),
  unsubscribed: Type.Optional(
    Type.Unknown({ description: '`true` unsubscribes; `false` never resubscribes.', examples: [false] }),
  ),
})
export type ImportRow = Static<typeof Row>

export const Import = Strict({
  contacts: Type.Array(Row, { maxItems: rowsMax, examples: [[{ email: 'ada@example.com', firstName: 'Ada' }]] }),
  segmentId: Type.Optional(Type.String({ ...Uuid, description: 'Every contact of the import is put into it.' })),
})
export type Import = Static<typeof Import>

export const ImportResult = Type.Object({
  created: Type.Integer(),
  updated: Type.Integer(),
  skipped: Type.Integer({ description: 'Rows that changed nothing or were in error.' }),
  errors: Type.Array(Type.Object({ index: Type.Integer(), email: Nullable(Type.String()), message: Type.String() })),
})

export const Contact = Type.Object({
  id: Uuid,
  email: Type.String({ examples: ['ada@example.com'] }),
  firstName: Nullable(Type.String()),
  lastName: Nullable(Type.String()),
  phoneNumber: Nullable(Type.String()),
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
