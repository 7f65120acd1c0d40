import Type, { type Static, type TSchema, type TString } from 'typebox'

/** A field that is null where it is empty: one JSON Schema type list, which serialises without trying alternatives. */
export function Nullable<T extends TSchema & { type?: string; enum?: unknown[] }>(schema: T) {
  const values = schema.enum ? { enum: [...schema.enum, null] } : {}
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'], ...values })
}

/** An object of a request: a field that is not named is refused. */
export function Strict<T extends Record<string, TSchema>>(properties: T, options: object = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

export const Uuid = Type.String({ format: 'uuid', examples: ['01890a5d-ac96-774b-bcce-b302099a8057'] })

/** Rows hold Dates; they are written as ISO 8601 in UTC. */
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

export const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Rows a page.' }))
export const Cursor = Type.Optional(
  Type.String({ minLength: 1, maxLength: 1000, description: 'The `cursor` of the page before.' }),
)
export const Search = Type.Optional(
  Type.String({ maxLength: 200, description: 'A part of the text, whatever its case.' }),
)

export const IdParams = Strict({ id: Uuid })

export const Deleted = Type.Object({ id: Uuid, deleted: Type.Literal(true) })

export function List<T extends TSchema>(item: T) {
  return Type.Object({ data: Type.Array(item) })
}

export function Page<T extends TSchema>(item: T) {
  return Type.Object({ data: Type.Array(item), cursor: Nullable(Type.String()), hasMore: Type.Boolean() })
}
