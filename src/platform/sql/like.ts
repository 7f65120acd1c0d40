import { type RawBuilder, sql } from 'kysely'

/**
 * The condition that a text matches the pattern in any case. `plain_i` writes the forms of the letter I as one where
 * the locale of the database keeps them apart, as in Turkish; migration 0074 tells more.
 */
export function likeAnyCase(value: RawBuilder<unknown>, pattern: string): RawBuilder<boolean> {
  return sql<boolean>`plain_i(${value}) ilike plain_i(${pattern})`
}

/** The condition that one of the columns matches the pattern in any case. */
export function someLikeAnyCase(columns: string[], pattern: string): RawBuilder<boolean> {
  const conditions = columns.map((column) => likeAnyCase(sql.ref(column), pattern))
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`
}

/** Converts a search text to a LIKE pattern in which `%` and `_` are ordinary characters. */
export function likePattern(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`
}
