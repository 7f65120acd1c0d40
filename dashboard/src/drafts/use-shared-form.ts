import { useEffect, useRef, useState } from 'react'
import { get, patch } from '../api/call.ts'
import { changed, client } from '../api/client.ts'
import { oneOf } from '../api/use-one.ts'
import { useForm } from '../ui/form.tsx'
import { difference, type FieldOf, mergeTexts, type Texts } from './merge.ts'
import { useKeep } from './use-keep.tsx'
import { withFields } from './use-kept-form.ts'
import type { Draft } from './with-draft.tsx'

/** The changes by another person while this one was writing. `theirs` is their version. */
export type Notice<Values extends Texts> = { changed: FieldOf<Values>[]; clashes: FieldOf<Values>[]; theirs: Values }

type Options<Thing extends { id: string }, Values extends Texts> = {
  /** The path of the API, such as `/v1/templates`. */
  path: string
  /** The thing as the server has it, undefined for a new one. */
  stored: Thing | undefined
  /** The fields of a thing. */
  valuesOf: (thing: Thing) => Values
  /** The fields of a new thing. */
  start: Values
  draft: Draft
  create: (values: Values) => Promise<Thing>
  /** The body of a change: what differs from what is stored. Nothing is sent if it is empty. */
  changesOf: (values: Values, stored: Values) => object
  /** Says why a thing can no longer be changed. */
  refuse?: (thing: Thing) => string | undefined
  onSaved: (saved: Thing) => void
}

/** The draft is not what it was; nothing was asked of the server. */
class Unsaved extends Error {}

/**
 * The form of something that several people edit. When another person saves it, what is typed here stays, and `notice` says what
 * changed. A save looks first whether it is still as it was, and what is not saved is kept in this browser.
 */
export function useSharedForm<Thing extends { id: string }, Values extends Texts>(options: Options<Thing, Values>) {
  const { path, stored, valuesOf, draft } = options
  const noun = path.replace('/v1/', '')
  const found = draft.found?.value as { base?: unknown; typed?: unknown; notice?: Notice<Values> } | undefined
  const present = stored ? valuesOf(stored) : options.start
  const [base, setBase] = useState(() => withFields(present, found?.base))
  const [notice, setNotice] = useState<Notice<Values> | undefined>(found?.notice)
  const form = useForm(withFields(base, found?.typed), async (values) => {
    options.onSaved(await save(values))
    saved()
  })
  const typed = difference(form.values, base)
  const isChanged = Object.keys(typed).length > 0
  // With the fields that it began with, so that a draft which is found later tells whose change is whose, and what was told.
  const { notice: keptNotice, saved } = useKeep(draft, {
    value: { base, typed, notice },
    isChanged,
    isBusy: form.isBusy,
  })
  const seen = useRef(found ? undefined : stored)
  const latest = useRef(form.values)
  latest.current = form.values

  /** Puts values in the place of others. Fields that were typed in meanwhile stay. */
  function replace(before: Values, after: Values) {
    const untouched = Object.entries(after).filter(([field]) => latest.current[field] === before[field])
    form.set(Object.fromEntries(untouched) as Partial<Values>)
  }

  /** Takes in another version. Returns the values to go on with, and whether both changed the same field. */
  function take(theirs: Values, values: Values) {
    const merged = mergeTexts(base, values, theirs)
    setBase(theirs)
    replace(values, merged.values)
    if (merged.changed.length > 0) setNotice({ changed: merged.changed, clashes: merged.clashes, theirs })
    return merged
  }

  async function save(values: Values): Promise<Thing> {
    if (!stored) {
      const made = await options.create(values)
      changed(noun)
      return made
    }
    const now = await get<Thing>(`${path}/${stored.id}`)
    const refusal = options.refuse?.(now)
    if (refusal) {
      client.setQueryData(oneOf<Thing>(path, now.id).queryKey, now)
      throw new Unsaved(refusal)
    }
    const theirs = valuesOf(now)
    const merged = take(theirs, values)
    if (merged.clashes.length > 0)
      throw new Unsaved('Not saved: someone else changed the same fields. Save again to replace theirs.')
    const changes = options.changesOf(merged.values, theirs)
    const after = Object.keys(changes).length > 0 ? await patch<Thing>(`${path}/${stored.id}`, changes) : now
    await show(after, merged.values)
    return after
  }

  /** Shows what was saved. A request that began before it must not bring the older version back. */
  async function show(after: Thing, sent: Values) {
    const { queryKey } = oneOf<Thing>(path, after.id)
    await client.cancelQueries({ queryKey, exact: true })
    seen.current = after
    client.setQueryData(queryKey, after)
    setBase(valuesOf(after))
    replace(sent, valuesOf(after))
    // Changes by both are settled. Changes by the other person alone may just have been told.
    setNotice((before) => (before && before.clashes.length > 0 ? undefined : before))
    changed(noun)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: looks once at each version of the server
  useEffect(() => {
    if (!stored || seen.current === stored) return
    seen.current = stored
    take(valuesOf(stored), form.values)
  }, [stored])

  return {
    form,
    notice,
    keptNotice,
    isChanged,
    dismiss: () => setNotice(undefined),
    /** Replaces what both changed by the other person's version. */
    takeTheirs: () => {
      if (!notice) return
      form.set(Object.fromEntries(notice.clashes.map((field) => [field, notice.theirs[field]])) as Partial<Values>)
      form.setError(undefined)
      setNotice(undefined)
    },
  }
}
