import { useEffect, useRef, useState } from 'react'
import { namesOf, pick } from '../api/objects.ts'
import { type FieldOf, mergeTexts, type Texts } from './merge.ts'

/** The changes by another person while this one was writing. `theirs` is their version. */
export type Elsewhere<Values extends Texts> = { changed: FieldOf<Values>[]; clashes: FieldOf<Values>[]; theirs: Values }

type Options<Thing, Values extends Texts> = {
  /** The thing as the server has it, undefined for a new one. */
  stored: Thing | undefined
  /** Earlier typing was restored. It may have begun with another version than the stored one. */
  isFound: boolean
  /** The changes by another person that were shown when that typing was kept. */
  notice: Elsewhere<Values> | undefined
  /** The values that the typing began with. */
  begun: Values
  valuesOf: (thing: Thing) => Values
  form: { values: Values; set: (changes: Partial<Values>) => void; setError: (error: undefined) => void }
}

/**
 * Takes versions of the server into a form. What is typed stays. `base` is the version that the typing is compared
 * with: at first the one that it began with, then each that is taken in or saved.
 */
export function useVersions<Thing, Values extends Texts>(options: Options<Thing, Values>) {
  const { stored, valuesOf, form } = options
  const [base, setBase] = useState(options.begun)
  const [elsewhere, setElsewhere] = useState(options.notice)
  const seen = useRef(options.isFound ? undefined : stored)
  const latest = useRef(form.values)
  latest.current = form.values

  /** Puts values in the place of others. Fields that were typed in meanwhile stay. */
  function replace(before: Values, after: Values) {
    const untouched = namesOf(after).filter((field) => latest.current[field] === before[field])
    form.set(pick(after, untouched))
  }

  /**
   * Takes in the version that the server has, which may still be `before`. Returns the values to go on with, and the
   * fields that both changed.
   */
  function take(before: Values, theirs: Values, values: Values) {
    const merged = mergeTexts(before, values, theirs)
    setBase(theirs)
    replace(values, merged.values)
    if (merged.changed.length > 0) setElsewhere({ changed: merged.changed, clashes: merged.clashes, theirs })
    return merged
  }

  /** Takes in what was saved of the values that were sent. */
  function settle(after: Thing, sent: Values) {
    seen.current = after
    setBase(valuesOf(after))
    replace(sent, valuesOf(after))
    // Changes by both are settled. Changes by the other person alone may just have been told.
    setElsewhere((before) => (before && before.clashes.length > 0 ? undefined : before))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks once at each version of the server; the functions change with each render
  useEffect(() => {
    // After a save the query holds a copy of what was seen, which is taken in once more and changes nothing.
    if (!stored || seen.current === stored) return
    seen.current = stored
    take(base, valuesOf(stored), form.values)
  }, [stored])

  /** Replaces what both changed by the other person's version. */
  function takeTheirs() {
    if (!elsewhere) return
    form.set(pick(elsewhere.theirs, elsewhere.clashes))
    form.setError(undefined)
    setElsewhere(undefined)
  }

  return { base, elsewhere, take, settle, takeTheirs, dismiss: () => setElsewhere(undefined) }
}
