import Type, { type Static } from 'typebox'
import {
  AnyObject,
  LimitOf,
  Nullable,
  Resource,
  Strict,
  TextEnum,
  Timestamp,
  Uuid,
} from '../platform/http/schema/schema.ts'
import { limitMax } from '../platform/pagination.ts'
import { eventTypes } from '../webhooks/event-types.ts'
import { formatNames } from './formats.ts'

const exampleEntryId = 'AAAAAAAAA-gBkIpdrJZ3S7zOswIJmoBX'

const After = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The id of an entry, or the `cursor` of an answer: what follows it is read.',
    examples: [exampleEntryId],
  }),
)

const Types = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 500,
    description: `Only these types, separated by commas: ${eventTypes.map((type) => `\`${type}\``).join(', ')}.`,
    examples: ['email.bounced,email.complained'],
  }),
)

export const FeedQuery = Strict({ after: After, types: Types, limit: LimitOf(limitMax) })
export type FeedQuery = Static<typeof FeedQuery>

export const FeedStreamQuery = Strict({
  after: After,
  types: Types,
  signed: Type.Optional(
    Type.Boolean({ description: 'Adds the `headers` and the `body` that a webhook would be sent, signed.' }),
  ),
  format: Type.Optional({
    ...TextEnum(...formatNames),
    description: 'The form of a signed `body`: ours, or that of Resend.',
  }),
})
export type FeedStreamQuery = Static<typeof FeedStreamQuery>

export const FeedEntryList = Resource('FeedEntryList', {
  data: Type.Array(
    Resource('FeedEntry', {
      id: Type.String({ description: 'Its place in the feed.', examples: [exampleEntryId] }),
      type: TextEnum(...eventTypes),
      at: Timestamp,
      data: Type.Object({
        emailId: Uuid,
        details: Nullable(AnyObject({ description: 'What the provider told. Null if there is nothing, or erased.' })),
      }),
    }),
  ),
  cursor: Nullable(
    Type.String({
      description: 'The `after` of the next request, also on the last page. Null while the feed is empty.',
    }),
  ),
  hasMore: Type.Boolean(),
})
