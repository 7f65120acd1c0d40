/** The fields of a form as texts. Empty is none. */
export type Texts = Record<string, string>
export type FieldOf<Values> = keyof Values & string

/**
 * Joins what two people made of one draft. Fields that I changed stay mine, the others become theirs. `changed` are the
 * fields that they changed; `clashes` those of them that I changed otherwise.
 */
export function mergeTexts<Values extends Texts>(before: Values, mine: Values, theirs: Values) {
  const fields = Object.keys(theirs) as FieldOf<Values>[]
  const changed = fields.filter((field) => theirs[field] !== before[field] && theirs[field] !== mine[field])
  const clashes = changed.filter((field) => mine[field] !== before[field])
  return { values: { ...theirs, ...difference(mine, before) } as Values, changed, clashes }
}

/** Returns the fields of `values` that differ from `before`. */
export function difference<Values extends Texts>(values: Values, before: Values): Partial<Values> {
  const differs = Object.entries(values).filter(([field, value]) => value !== before[field])
  return Object.fromEntries(differs) as Partial<Values>
}
