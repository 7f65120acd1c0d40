/** The kind of a field, which says how its flag is read. */
export type Kind = 'text' | 'number' | 'boolean' | 'list' | 'json'

export type Field = {
  kind: Kind
  required?: true
  /** The empty text stands for null. */
  nullable?: true
  /** It holds the id of another thing. */
  id?: true
  /** The values that the server takes. */
  values?: readonly string[]
  about?: string
}

/** An operation of the API, as the command line needs it. `operations.ts` is made from the routes. */
export type Operation = {
  method: string
  /** With `:name` parameters. */
  path: string
  summary: string
  /** Where the fields go. */
  takes?: 'body' | 'query'
  /** Takes an `Idempotency-Key`. */
  key?: true
  /** Answers pages. */
  paged?: true
  /** The form of a success that is not JSON. */
  reads?: 'text' | 'bytes'
  fields: Readonly<Record<string, Field>>
}
