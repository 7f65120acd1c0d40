import Type, { type Static } from 'typebox'
import { subjectMax } from '../emails/bounds.ts'
import { Dictionary, Nullable, Strict, Text, TextEnum } from '../platform/http/schema/schema.ts'
import { renderedMax } from '../templates/render.ts'

/** The base64 of 40 MiB, which is the limit of the body. */
const contentMax = 40 * 1024 * 1024
/** Postmark's limit. */
export const batchMax = 500

/** Clients of some languages send null for what they leave out. */
const Optional = (maxLength: number) => Type.Optional(Nullable(Text({ maxLength })))
/** A list of addresses with commas: 50 of them, each at most as long as one may be. */
const Addresses = Optional(50_000)

const Attachment = Strict({
  Name: Text({ minLength: 1, maxLength: 255 }),
  Content: Text({ maxLength: contentMax }),
  ContentType: Optional(255),
  ContentID: Optional(255),
  /** The name of `ContentID` in the packages for PHP, Java and .NET. */
  ContentId: Optional(255),
  Disposition: Optional(255),
  ContentLength: Type.Optional(Nullable(Type.Number())),
})

export const Message = Strict({
  From: Text({ maxLength: 1000 }),
  To: Addresses,
  Cc: Addresses,
  Bcc: Addresses,
  Subject: Optional(subjectMax),
  Tag: Optional(1000),
  HtmlBody: Optional(renderedMax),
  TextBody: Optional(renderedMax),
  ReplyTo: Addresses,
  Headers: Type.Optional(
    Nullable(
      Type.Array(Strict({ Name: Text({ minLength: 1, maxLength: 100 }), Value: Text({ maxLength: subjectMax }) }), {
        maxItems: 50,
      }),
    ),
  ),
  TrackOpens: Type.Optional(Nullable(Type.Boolean())),
  TrackLinks: Type.Optional(Nullable(TextEnum('None', 'HtmlAndText', 'HtmlOnly', 'TextOnly'))),
  Metadata: Type.Optional(
    Type.Unsafe<Record<string, string | number | boolean> | null>({
      ...Dictionary(Type.Unsafe<string>({ type: ['string', 'number', 'boolean'], maxLength: 1000 }), {
        maxProperties: 49,
      }),
      type: ['object', 'null'],
    }),
  ),
  Attachments: Type.Optional(Nullable(Type.Array(Attachment, { maxItems: 100 }))),
  MessageStream: Optional(100),
})
export type Message = Static<typeof Message>

/** Each message is checked alone, so that a bad one does not keep the others from being sent. */
export const MessageBatch = Type.Unsafe<unknown[]>({ type: 'array', items: {}, minItems: 1, maxItems: batchMax })
