/** The shape of a value after JSON: a `Date` of the server's schemas is a text. */
export type Json<T> = T extends Date
  ? string
  : T extends (infer Item)[]
    ? Json<Item>[]
    : T extends object
      ? { [Key in keyof T]: Json<T[Key]> }
      : T

/** A page of a list. */
export type Page<Row> = { data: Row[]; cursor: string | null; hasMore: boolean; total?: number }
