import Type, { type Static } from 'typebox'
import {
  Body,
  documentMax,
  Name,
  Nullable,
  Page,
  Resource,
  TestMark,
  TextEnum,
  Timestamp,
  Uuid,
} from '../platform/http/schema/schema.ts'

/** The length is ours: people find a template by its name. */
const GivenName = Name({ maxLength: 200, examples: ['Welcome'] })

/** The request's 1 MiB bounds the bodies. */
const Html = Nullable(
  Type.String({
    maxLength: documentMax,
    description: 'Values are HTML-escaped, and percent-encoded in links.',
    examples: ['<p>Hello {{name}}</p>'],
  }),
)
const PlainText = Nullable(
  Type.String({ maxLength: documentMax, description: 'Values stand as they are.', examples: ['Hello {{name}}'] }),
)
const Status = TextEnum('draft', 'published')

export const NewTemplate = Body('NewTemplate', {
  name: GivenName,
  html: Type.Optional(Html),
  text: Type.Optional(PlainText),
})
export type NewTemplate = Static<typeof NewTemplate>

export const TemplateChanges = Body(
  'TemplateChanges',
  {
    name: Type.Optional(GivenName),
    html: Type.Optional(Html),
    text: Type.Optional(PlainText),
    status: Type.Optional(
      Type.Unsafe<'draft' | 'published'>({ ...Status, description: 'Only `published` ones can be sent.' }),
    ),
  },
  { minProperties: 1 },
)
export type TemplateChanges = Static<typeof TemplateChanges>

const marks = { mode: TestMark, createdAt: Timestamp, updatedAt: Timestamp }

export const Template = Resource('Template', {
  id: Uuid,
  name: Type.String(),
  html: Html,
  text: PlainText,
  status: Status,
  ...marks,
})

export const TemplateList = Page(
  Resource('TemplateListItem', { id: Uuid, name: Type.String(), status: Status, ...marks }),
)
