import Type, { type Static } from 'typebox'
import {
  AnyObject,
  Body,
  Nullable,
  Page,
  Resource,
  TestMark,
  TextEnum,
  Timestamp,
  Uuid,
} from '../../platform/http/schema/schema.ts'

/** WhatsApp's limit is 512 characters. */
const Name = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'Lowercase letters, digits and underscores.',
  examples: ['order_shipped'],
})
/** The limit of a message's text. */
const BodyText = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'With placeholders `{{1}}` to `{{n}}`.',
  examples: ['Hello {{1}}, your order {{2}} has shipped.'],
})
const categories = ['marketing', 'utility', 'authentication'] as const
const Language = Type.String({
  minLength: 1,
  maxLength: 35,
  description: 'A language tag (BCP 47).',
  examples: ['en'],
})
const Components = Nullable(
  AnyObject({
    description: 'Header, footer and buttons, as the provider takes them. At most 64 KiB.',
    examples: [{ footer: { type: 'FOOTER', text: 'The Shop' } }],
  }),
)

const changeable = {
  category: Type.Optional(Type.Unsafe<(typeof categories)[number]>({ ...TextEnum(...categories), default: 'utility' })),
  language: Type.Optional(Type.String({ ...Language, default: 'en' })),
  components: Type.Optional(Components),
}

export const NewTemplate = Body('NewWhatsappTemplate', { name: Name, body: BodyText, ...changeable })
export type NewTemplate = Static<typeof NewTemplate>

export const TemplateChanges = Body(
  'WhatsappTemplateChanges',
  {
    body: Type.Optional(BodyText),
    category: Type.Optional(TextEnum(...categories)),
    language: Type.Optional(Language),
    components: Type.Optional(Components),
  },
  { minProperties: 1 },
)
export type TemplateChanges = Static<typeof TemplateChanges>

export const Template = Resource('WhatsappTemplate', {
  id: Uuid,
  name: Name,
  language: Language,
  category: TextEnum(...categories),
  status: TextEnum('draft', 'submitted', 'approved', 'rejected', 'disabled'),
  body: BodyText,
  variableCount: Type.Integer({ examples: [2] }),
  components: Components,
  providerRef: Nullable(Type.String({ description: 'What the provider calls it.' })),
  rejectionReason: Nullable(Type.String({ description: 'Why it was rejected or disabled.' })),
  mode: TestMark,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const TemplateList = Page(Template)
