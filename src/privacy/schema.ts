import Type, { type Static } from 'typebox'
import {
  Body,
  NullableTimestamp,
  Page,
  Resource,
  Text,
  TextEnum,
  Timestamp,
  Uuid,
} from '../platform/http/schema/schema.ts'

export const NewPrivacyRequest = Body(
  'NewPrivacyRequest',
  {
    type: TextEnum('export', 'erase'),
    email: Type.Optional(Text({ minLength: 3, maxLength: 320, examples: ['ada@example.com'] })),
    phoneNumber: Type.Optional(Text({ minLength: 3, maxLength: 40, examples: ['+61491570156'] })),
  },
  { examples: [{ type: 'export', email: 'ada@example.com' }] },
)
export type NewPrivacyRequest = Static<typeof NewPrivacyRequest>

const Count = Type.Integer({ minimum: 0 })

export const PrivacyRequest = Resource('PrivacyRequest', {
  id: Uuid,
  type: TextEnum('export', 'erase'),
  status: TextEnum('running', 'done', 'failed'),
  createdAt: Timestamp,
  finishedAt: NullableTimestamp,
  counts: Type.Record(
    Type.String(),
    Type.Object({
      found: Type.Optional(Count),
      removed: Type.Optional(Count),
      left: Type.Optional(Count),
    }),
    {
      description:
        'By kind of row. An export counts what it `found`. An erasure counts what it `removed`, and in the end all rows that are `left`: 0 when it is done.',
    },
  ),
})

export const PrivacyRequestPage = Page(PrivacyRequest)
