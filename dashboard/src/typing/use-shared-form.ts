import type { ChangedPath } from '../api/change-latest.ts'
import { changed, client } from '../api/client.ts'
import type { NounOf } from '../api/keys.ts'
import type { Answer } from '../api/request.ts'
import { oneById } from '../api/use-one.ts'
import { useForm } from '../ui/form/form.tsx'
import { difference, type Texts } from './merge.ts'
import { saveOver } from './save-over.ts'
import { useKeep } from './use-keep.tsx'
import { withFields } from './use-kept-form.ts'
import { type Elsewhere, useVersions } from './use-versions.ts'
import type { Kept } from './with-kept.tsx'

type SharedNoun = NounOf<ChangedPath>
type Thing<N extends SharedNoun> = Answer<`/v1/${N}/:id`>

type Options<N extends SharedNoun, Values extends Texts> = {
  noun: N
  /** The thing as the server has it, undefined for a new one. */
  stored: Thing<N> | undefined
  valuesOf: (thing: Thing<N>) => Values
  /** The fields of a new thing, and how to create it. Left out where the thing is always stored. */
  fresh?: { start: Values; create: (values: Values) => Promise<Thing<N>> }
  kept: Kept
  /** The body of a change: what differs from what is stored. Nothing is sent if it is empty. */
  changesOf: (values: Values, stored: Values) => object
  /** Says why a thing can no longer be changed. */
  refuse?: (thing: Thing<N>) => string | undefined
  /** Goes on after a save. The form is busy until it ends, and shows the faults of what it throws. */
  onSaved: (saved: Thing<N>) => unknown
}

/**
 * The form of something that several people edit. When another person saves it, what is typed here stays, and
 * `elsewhere` says what changed. A save looks first whether it is still as it was, and again if another person saves at
 * the same moment. What is not saved is kept in this browser.
 */
export function useSharedForm<N extends SharedNoun, Values extends Texts>(options: Options<N, Values>) {
  const { noun, stored, valuesOf, fresh, kept } = options
  const path: `/v1/${N}/:id` = `/v1/${noun}/:id`
  const found = kept.found?.value as { base?: unknown; typed?: unknown; notice?: Elsewhere<Values> } | undefined
  const present = stored ? valuesOf(stored) : fresh!.start
  const begun = withFields(present, found?.base)
  const form = useForm(withFields(begun, found?.typed), async (values) => {
    const after = await save(values)
    saved()
    await options.onSaved(after)
  })
  const versions = useVersions({ stored, isFound: Boolean(found), notice: found?.notice, begun, valuesOf, form })
  const { base, elsewhere, take, settle, takeTheirs, dismiss } = versions
  const typed = difference(form.values, base)
  const isChanged = Object.keys(typed).length > 0
  // With the fields that it began with, so that what is found later tells whose change is whose, and what was told.
  // `notice` is the name under which browsers hold it.
  const { keptNotice, saved } = useKeep(kept, {
    value: { base, typed, notice: elsewhere },
    isChanged,
    isBusy: form.isBusy,
  })

  async function save(values: Values): Promise<Thing<N>> {
    const after = stored ? await saveStored(stored.id, values) : await fresh!.create(values)
    changed(noun)
    return after
  }

  async function saveStored(id: string, values: Values): Promise<Thing<N>> {
    const { after, sent } = await saveOver({ ...options, path, id, take }, base, values)
    await show(path, after, () => settle(after, sent))
    return after
  }

  return { form, elsewhere, keptNotice, isChanged, takeTheirs, dismiss }
}

/** Shows what was saved. A request that began before it must not bring the older version back. */
async function show<P extends ChangedPath>(path: P, after: Answer<P>, settle: () => void) {
  const { queryKey } = oneById(path, after.id)
  await client.cancelQueries({ queryKey, exact: true })
  settle()
  client.setQueryData(queryKey, after)
}
