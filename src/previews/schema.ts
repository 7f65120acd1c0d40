import Type, { type Static } from 'typebox'
import { subjectMax } from '../emails/bounds.ts'
import { Body, Dictionary, documentMax, Nullable, Resource, Text, TextEnum } from '../platform/http/schema/schema.ts'

/** Ours, as for `templateVariables`. */
const variablesMax = 1000
const valueMax = 100_000

const Value = Type.Unsafe<string | number | boolean | null>({
  type: ['string', 'number', 'boolean', 'null'],
  maxLength: valueMax,
})

export const PreviewBody = Body(
  'NewPreview',
  {
    kind: Type.Unsafe<'email' | 'template' | 'broadcast'>({
      ...TextEnum('email', 'template', 'broadcast'),
      description: 'In a broadcast, variables without a value are empty; elsewhere they stay as they are.',
    }),
    subject: Type.Optional(Text({ maxLength: subjectMax, examples: ['News for {{firstName}}'] })),
    html: Type.Optional(Nullable(Type.String({ maxLength: documentMax, examples: ['<p>Hello {{firstName}}</p>'] }))),
    text: Type.Optional(Nullable(Type.String({ maxLength: documentMax }))),
    variables: Type.Optional(Dictionary(Value, { maxProperties: variablesMax, examples: [{ firstName: 'Ada' }] })),
    contactId: Type.Optional(
      Type.String({ format: 'uuid', description: 'For a broadcast: the contact whose values are filled in.' }),
    ),
  },
  {
    examples: [
      {
        kind: 'email',
        subject: 'News for {{firstName}}',
        html: '<p>Hello {{firstName}}</p>',
        variables: { firstName: 'Ada' },
      },
    ],
  },
)
export type PreviewBody = Static<typeof PreviewBody>

export const Rendered = Resource('Preview', {
  subject: Type.String(),
  html: Nullable(
    Type.String({ description: 'As it would be sent. It is not cleaned: show it in a sandboxed frame only.' }),
  ),
  text: Nullable(Type.String()),
  unknown: Type.Array(Type.String(), { description: 'Names of variables that nothing fills in.' }),
})
export type Rendered = Static<typeof Rendered>
