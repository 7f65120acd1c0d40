import Type, { type Static } from 'typebox'
import { recipientsMax, subjectMax } from '../emails/bounds.ts'
import { Dictionary, Nullable, Strict, Text, TextEnum } from '../platform/http/schema/schema.ts'
import { renderedMax } from '../templates/render.ts'

/** The base64 of 40 MiB, which is the limit of the body. */
const contentMax = 40 * 1024 * 1024
/** SendGrid's limit is 1000, and that of a plan is lower. */
const personalizationsMax = 1000
/** SendGrid allows 10,000 bytes of substitutions. Each one costs a comparison at each place of the text. */
const substitutionsMax = 100
const categoriesMax = 10

const Mailbox = Strict({
  email: Text({ minLength: 1, maxLength: 320 }),
  name: Type.Optional(Nullable(Text({ maxLength: 600 }))),
})
export type GivenMailbox = Static<typeof Mailbox>
const Mailboxes = Type.Array(Mailbox, { maxItems: recipientsMax })

const Value = Type.Unsafe<string | number | boolean | null>({
  type: ['string', 'number', 'boolean', 'null'],
  maxLength: 1000,
})
const Seconds = Type.Integer({ minimum: 0, maximum: 253_402_300_799, description: 'Seconds since 1970.' })
const Data = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  maxProperties: 1000,
})

/** What may be given for all messages, and again for each. */
const shared = {
  subject: Type.Optional(Text({ maxLength: subjectMax })),
  headers: Type.Optional(Dictionary(Text({ maxLength: subjectMax }), { maxProperties: 50 })),
  custom_args: Type.Optional(Dictionary(Value, { maxProperties: 50 })),
  send_at: Type.Optional(Seconds),
}

const Personalization = Strict({
  to: Mailboxes,
  cc: Type.Optional(Mailboxes),
  bcc: Type.Optional(Mailboxes),
  from: Type.Optional(Mailbox),
  ...shared,
  substitutions: Type.Optional(Dictionary(Text({ maxLength: 10_000 }), { maxProperties: substitutionsMax })),
  dynamic_template_data: Type.Optional(Data),
})
export type Personalization = Static<typeof Personalization>

const Attachment = Strict({
  content: Text({ maxLength: contentMax }),
  filename: Text({ minLength: 1, maxLength: 255 }),
  type: Type.Optional(Text({ maxLength: 255 })),
  disposition: Type.Optional(TextEnum('attachment', 'inline')),
  content_id: Type.Optional(Text({ minLength: 1, maxLength: 255 })),
})

const Setting = Type.Object(
  { enable: Type.Optional(Type.Boolean()), substitution_tag: Type.Optional(Nullable(Text({ maxLength: 1000 }))) },
  { additionalProperties: true, maxProperties: 10 },
)
/** Settings by their names. Which of them may be on is in `lacking.ts`. */
const Settings = Dictionary(Setting, { maxProperties: 10 })

/** A field that is known in order to be refused with what to use instead. */
const Lacking = Type.Optional(Type.Unsafe<unknown>({}))

export const MailBody = Strict({
  personalizations: Type.Array(Personalization, { minItems: 1, maxItems: personalizationsMax }),
  from: Type.Optional(Mailbox),
  reply_to: Type.Optional(Mailbox),
  reply_to_list: Type.Optional(Mailboxes),
  ...shared,
  content: Type.Optional(
    Type.Array(
      Strict({ type: Text({ minLength: 1, maxLength: 255 }), value: Text({ minLength: 1, maxLength: renderedMax }) }),
      { maxItems: 10 },
    ),
  ),
  attachments: Type.Optional(Type.Array(Attachment, { maxItems: 100 })),
  template_id: Type.Optional(Text({ minLength: 1, maxLength: 200 })),
  categories: Type.Optional(Type.Array(Text({ maxLength: 255 }), { maxItems: categoriesMax })),
  mail_settings: Type.Optional(Settings),
  tracking_settings: Type.Optional(Settings),
  asm: Lacking,
  batch_id: Lacking,
  ip_pool_name: Lacking,
  sections: Lacking,
})
export type MailBody = Static<typeof MailBody>
