import Type, { type Static, type TObject, type TSchema, type TString } from 'typebox'
import { limitMax } from '../../pagination.ts'
import { membersMaxUsual } from '../body/read-json.ts'

/** A field that may be null: a JSON Schema type list, which is serialised without trying alternatives. */
export function Nullable<T extends TSchema & { type?: string; enum?: unknown[] }>(schema: T) {
  const values = schema.enum ? { enum: [...schema.enum, null] } : {}
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'], ...values })
}

/** An object of a request. Unknown fields are refused. */
export function Strict<T extends Record<string, TSchema>>(properties: T, options: object = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/**
 * An object of an answer, under its name in the description of the API. A resource that has all fields of another one
 * names that one as `x-extends`, so that the description lists the fields once.
 */
export function Resource<T extends Record<string, TSchema>>(title: string, properties: T, options: object = {}) {
  return Type.Object(properties, { title, ...options })
}

/** The body of a request, under its name in the description of the API. Unknown fields are refused. */
export function Body<T extends Record<string, TSchema>>(title: string, properties: T, options: object = {}) {
  return Strict(properties, { title, ...options })
}

/** Values of one kind under names that the caller chooses. */
export function Dictionary<T extends TSchema>(value: T, options: { maxProperties: number } & Record<string, unknown>) {
  return Type.Unsafe<Record<string, Static<T>>>({ type: 'object', additionalProperties: value, ...options })
}

/** Any JSON object, with as many fields as a body may hold members. */
export function AnyObject(options: Record<string, unknown> = {}) {
  return Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    maxProperties: membersMaxUsual,
    ...options,
  })
}

/** A document in a body of 1 MiB, such as the HTML of a template. */
export const documentMax = 1024 * 1024

export const exampleId = '01890a5d-ac96-774b-bcce-b302099a8057'
export const Uuid = Type.String({ format: 'uuid', examples: [exampleId] })

/** The id of another resource in a path or a query. `of` is such as `the contact`. */
export function IdOf(of: string): typeof Uuid {
  return Type.String({ ...Uuid, description: `The id of ${of}.` })
}

/** Rows hold Dates, which are written as ISO 8601 in UTC. */
export const Timestamp = Type.Unsafe<Date>({
  type: 'string',
  format: 'date-time',
  examples: ['2026-01-31T09:30:00.000Z'],
})
export const NullableTimestamp = Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time' })

export function TextEnum<T extends string>(...values: T[]) {
  return Type.Unsafe<T>({ type: 'string', enum: values })
}

export function Text(
  options: { minLength?: number; maxLength?: number; description?: string; examples?: string[] } = {},
): TString {
  return Type.String(options)
}

const nameRule = 'With a visible character, and without control characters and invisible ones.'

/** A name that is shown to others (`platform/text/name.ts`). */
export function Name({
  maxLength,
  description,
  ...options
}: {
  maxLength: number
  description?: string
  examples?: string[]
}): TString {
  const words = description === undefined ? nameRule : `${description} ${nameRule}`
  return Type.String({ minLength: 1, maxLength, format: 'name', description: words, ...options })
}

/** The `limit` of a list, at most `limitMax` rows. */
export function LimitOf(usual: number) {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limitMax,
      default: usual,
      description: 'The most rows of a page. A page also ends at 4 MiB of content.',
    }),
  )
}
export const Limit = LimitOf(20)
export const Cursor = Type.Optional(
  Type.String({ minLength: 1, maxLength: 1000, description: 'The `cursor` of the page before.' }),
)

/** The query of a list with these filters. `limitUsual`: the rows of a page if the caller gives no `limit`. */
export function ListQueryOf<F extends Record<string, TSchema>>(filters: F, limitUsual = 20) {
  return Strict({ limit: LimitOf(limitUsual), cursor: Cursor, ...filters })
}

export const ListQuery = ListQueryOf({}, limitMax)

export const Search = Type.Optional(
  Type.String({ maxLength: 200, description: 'A part of the text, whatever its case.' }),
)

export const IdParams = Strict({ id: IdOf('the resource') })

export const Deleted = Resource('Deleted', { id: Uuid, deleted: Type.Literal(true) })

/** The answer to providers that tell of an event. */
export const Received = Resource('Received', { received: Type.Boolean() })

/** The fields that every list has beside its rows. */
export const PageEnd = Resource('PageEnd', {
  cursor: Nullable(Type.String({ description: 'Gives the next page; null on the last one.' })),
  hasMore: Type.Boolean(),
})

/**
 * The answer of every list: `data` newest first, and the cursor of the next page. Of `Topic` or `EmailListItem` it is
 * `TopicList` or `EmailList`.
 */
export function Page<T extends TSchema & { title?: string }, F extends Record<string, TSchema>>(item: T, further?: F) {
  const fields = { data: Type.Array(item), ...PageEnd.properties, ...(further as F) }
  return Resource(`${item.title?.replace(/ListItem$/, '')}List`, fields, { 'x-extends': 'PageEnd' })
}

/** On a resource that has no `mode` unless it belongs to test mode. */
export const TestMark = Type.Optional({
  ...TextEnum('test'),
  description: 'On what belongs to test mode: no live key finds it.',
})

const Mode = Type.Optional({
  ...TextEnum('live', 'test'),
  description:
    'For signed-in users: the mode whose resources are meant, `live` if left out. An API key has its own; the other one is 400.',
})

/** Adds the field `mode` to the query of a route. */
export function withMode(query: TSchema | undefined): TSchema {
  const object = (query ?? Strict({})) as TObject
  return { ...object, properties: { ...object.properties, mode: Mode } }
}
