import Type, { type Static } from 'typebox'
import { recipientsMax, subjectMax } from '../emails/bounds.ts'
import { Dictionary, Nullable, Strict, Text } from '../platform/http/schema/schema.ts'
import { renderedMax } from '../templates/render.ts'

const Address = Text({ minLength: 1, maxLength: 1000 })
/** One address, or a list. */
export const Addresses = Type.Union([Address, Type.Array(Address, { maxItems: recipientsMax })])

export function addressesIn(given: Static<typeof Addresses> | undefined): string[] | undefined {
  return given === undefined ? undefined : [given].flat()
}

/** Resend's rule for both parts of a tag. */
const TagText = Type.String({ minLength: 1, maxLength: 256, pattern: '^[A-Za-z0-9_-]+$' })

/** The base64 of 40 MiB, which is the limit of the body. */
const contentMax = 40 * 1024 * 1024

const Attachment = Strict({
  filename: Type.Optional(Type.Unsafe<string | boolean>({ type: ['string', 'boolean'], maxLength: 255 })),
  content: Type.Optional(Text({ maxLength: contentMax })),
  path: Type.Optional(Text({ minLength: 1, maxLength: 2000 })),
  content_type: Type.Optional(Text({ maxLength: 255 })),
  content_id: Type.Optional(Text({ minLength: 1, maxLength: 255 })),
  /** The name of `content_id` in some packages. */
  inline_content_id: Type.Optional(Text({ minLength: 1, maxLength: 255 })),
})
export type GivenAttachment = Static<typeof Attachment>

const Variables = Dictionary(Type.Unsafe<string | number>({ type: ['string', 'number'], maxLength: renderedMax }), {
  maxProperties: 1000,
})

const email = {
  from: Type.Optional(Address),
  to: Addresses,
  subject: Type.Optional(Text({ maxLength: subjectMax })),
  html: Type.Optional(Text({ maxLength: renderedMax })),
  text: Type.Optional(Text({ maxLength: renderedMax })),
  cc: Type.Optional(Addresses),
  bcc: Type.Optional(Addresses),
  reply_to: Type.Optional(Addresses),
  scheduled_at: Type.Optional(Text({ minLength: 1, maxLength: 100 })),
  headers: Type.Optional(Dictionary(Text({ maxLength: subjectMax }), { maxProperties: 50 })),
  tags: Type.Optional(Type.Array(Strict({ name: TagText, value: TagText }), { maxItems: 50 })),
  template: Type.Optional(Strict({ id: Text({ minLength: 1, maxLength: 200 }), variables: Type.Optional(Variables) })),
  topic_id: Type.Optional(Nullable(Type.String({ format: 'uuid' }))),
}

/** Emails of a batch take no attachments. */
export const BatchEmail = Strict(email)
export const EmailBody = Strict({ ...email, attachments: Type.Optional(Type.Array(Attachment, { maxItems: 100 })) })
export type EmailBody = Static<typeof EmailBody>

/** Each is checked alone, so that a permissive batch can leave out the bad ones. */
export const BatchBody = Type.Array(Type.Object({}, { additionalProperties: true, maxProperties: 50 }), {
  minItems: 1,
  maxItems: 100,
})
export const RescheduleBody = Strict({ scheduled_at: Text({ minLength: 1, maxLength: 100 }) })
