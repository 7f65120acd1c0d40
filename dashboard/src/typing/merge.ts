import { namesOf, pick } from '../api/objects.ts'

/** The fields of a form as texts. Empty is none. */
export type Texts = Record<string, string>
export type FieldOf<Values> = keyof Values & string

/**
 * Joins what two people typed into one form. Fields that I changed stay mine, the others become theirs. `changed` are
 * the fields that they changed; `clashes` those of them that I changed otherwise.
 */
export function mergeTexts<Values extends Texts>(before: Values, mine: Values, theirs: Values) {
  const fields = namesOf(theirs)
  const changed = fields.filter((field) => theirs[field] !== before[field] && theirs[field] !== mine[field])
  const clashes = changed.filter((field) => mine[field] !== before[field])
  return { values: { ...theirs, ...difference(mine, before) } as Values, changed, clashes }
}

/** Returns the fields of `values` that differ from `before`. */
export function difference<Values extends Record<string, string | boolean | null>>(
  values: Values,
  before: Values,
): Partial<Values> {
  return pick(
    values,
    namesOf(values).filter((field) => values[field] !== before[field]),
  )
}
