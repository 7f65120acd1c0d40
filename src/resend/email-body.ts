import Type, { type Static, type TSchema } from 'typebox'
import { recipientsMax, subjectMax } from '../emails/bounds.ts'
import { Dictionary, Nullable, Strict, Text } from '../platform/http/schema/schema.ts'
import { renderedMax } from '../templates/render.ts'

const Address = Text({ minLength: 1, maxLength: 1000 })
/** One address, or a list. */
export const Addresses = Type.Union([Address, Type.Array(Address, { maxItems: recipientsMax })])
const AddressesOrNull = Type.Optional(Type.Union([...Addresses.anyOf, Type.Null()]))
/** Packages of some languages send null for what they leave out. */
const OrNull = <T extends TSchema & { type?: string }>(schema: T) => Type.Optional(Nullable(schema))

export function addressesIn(given: Static<typeof Addresses> | undefined): string[] | undefined {
  return given === undefined ? undefined : [given].flat()
}

/** Resend's rule for both parts of a tag. */
const TagText = Type.String({ minLength: 1, maxLength: 256, pattern: '^[A-Za-z0-9_-]+$' })

/** The base64 of 40 MiB, which is the limit of the body. */
const contentMax = 40 * 1024 * 1024

const Attachment = Strict({
  filename: Type.Optional(
    Type.Unsafe<string | boolean | null>({ type: ['string', 'boolean', 'null'], maxLength: 255 }),
  ),
  content: OrNull(Text({ maxLength: contentMax })),
  path: OrNull(Text({ minLength: 1, maxLength: 2000 })),
  content_type: OrNull(Text({ maxLength: 255 })),
  content_id: OrNull(Text({ minLength: 1, maxLength: 255 })),
  /** The name of `content_id` in some packages. */
  inline_content_id: OrNull(Text({ minLength: 1, maxLength: 255 })),
})
export type GivenAttachment = WithoutNulls<Static<typeof Attachment>>

/** An empty list is what PHP writes for an empty object. */
const Headers = Type.Unsafe<Record<string, string> | [] | null>({
  ...Dictionary(Text({ maxLength: subjectMax }), { maxProperties: 50 }),
  type: ['object', 'array', 'null'],
  maxItems: 0,
})

const Variables = Dictionary(Type.Unsafe<string | number>({ type: ['string', 'number'], maxLength: renderedMax }), {
  maxProperties: 1000,
})

const email = {
  from: OrNull(Address),
  to: Addresses,
  subject: OrNull(Text({ maxLength: subjectMax })),
  html: OrNull(Text({ maxLength: renderedMax })),
  text: OrNull(Text({ maxLength: renderedMax })),
  cc: AddressesOrNull,
  bcc: AddressesOrNull,
  reply_to: AddressesOrNull,
  scheduled_at: OrNull(Text({ minLength: 1, maxLength: 100 })),
  headers: Type.Optional(Headers),
  tags: OrNull(Type.Array(Strict({ name: TagText, value: TagText }), { maxItems: 50 })),
  template: OrNull(Strict({ id: Text({ minLength: 1, maxLength: 200 }), variables: Type.Optional(Variables) })),
  topic_id: OrNull(Type.String({ format: 'uuid' })),
}

/** Emails of a batch take no attachments. */
export const BatchEmail = Strict(email)
export const EmailBody = Strict({ ...email, attachments: OrNull(Type.Array(Attachment, { maxItems: 100 })) })
type GivenBody = Static<typeof EmailBody>
type WithoutNulls<T> = { [Name in keyof T]: Exclude<T[Name], null> }
export type EmailBody = WithoutNulls<Omit<GivenBody, 'headers' | 'attachments'>> & {
  headers?: Record<string, string>
  attachments?: GivenAttachment[]
}

/** Leaves out what is null, and headers that are an empty list. */
export function readEmailBody({ headers, attachments, ...given }: GivenBody): EmailBody {
  const named = headers && !Array.isArray(headers) && { headers: withoutForm(headers) }
  const files = attachments && { attachments: attachments.map(withoutNulls) }
  return { ...withoutNulls(given), ...named, ...files }
}

function withoutNulls<T extends object>(fields: T): WithoutNulls<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as WithoutNulls<T>
}

/** Leaves out what mail libraries write of a message's form, which is composed anew. */
function withoutForm(headers: Record<string, string>): Record<string, string> {
  const isOfForm = (name: string) => /^(mime-version|content-transfer-encoding)$/i.test(name)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isOfForm(name)))
}

/** Each is checked alone, so that a permissive batch can leave out the bad ones. */
export const BatchBody = Type.Array(Type.Object({}, { additionalProperties: true, maxProperties: 50 }), {
  minItems: 1,
  maxItems: 100,
})
export const RescheduleBody = Strict({ scheduled_at: Text({ minLength: 1, maxLength: 100 }) })
