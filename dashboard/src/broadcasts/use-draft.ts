import { useEffect, useRef, useState } from 'react'
import { get, patch, post } from '../api/call.ts'
import { changed, client } from '../api/client.ts'
import { useForm } from '../ui/form.tsx'
import { type Broadcast, broadcastOf, path } from './broadcast.ts'
import { bodyOf, changesOf, type Draft, type DraftField, draftOf, emptyDraft, mergeDrafts } from './draft.ts'

/** What another person changed while this one was writing. `theirs` is their version. */
export type Notice = { changed: DraftField[]; clashes: DraftField[]; theirs: Draft }

/** The draft is not what it was; nothing was asked of the server. */
class Unsaved extends Error {}

/**
 * The form of a draft. `stored` is the draft as the server has it, undefined for a new one. When another person changes it,
 * what is typed here stays, and `notice` says what changed. `onSaved` gets what the server answered.
 */
export function useDraft(stored: Broadcast | undefined, start: Draft, onSaved: (saved: Broadcast) => void) {
  const [base, setBase] = useState(stored ? draftOf(stored) : emptyDraft)
  const [notice, setNotice] = useState<Notice>()
  const form = useForm(start, async (values) => onSaved(await save(values)))
  const seen = useRef(stored)

  /** Takes in another version. Returns the values to go on with, and whether both changed the same field. */
  function take(theirs: Draft, values: Draft) {
    const merged = mergeDrafts(base, values, theirs)
    setBase(theirs)
    form.set(merged.values)
    if (merged.changed.length > 0) setNotice({ changed: merged.changed, clashes: merged.clashes, theirs })
    return merged
  }

  async function save(values: Draft): Promise<Broadcast> {
    if (!stored) {
      const made = await post<Broadcast>(path, bodyOf(values))
      changed('broadcasts')
      return made
    }
    const now = await get<Broadcast>(`${path}/${stored.id}`)
    if (now.status !== 'draft') {
      client.setQueryData(broadcastOf(now.id).queryKey, now)
      throw new Unsaved(`Not saved: the broadcast is ${now.status}.`)
    }
    const theirs = draftOf(now)
    const merged = take(theirs, values)
    if (merged.clashes.length > 0)
      throw new Unsaved('Not saved: someone else changed the same fields. Save again to replace theirs.')
    const changes = changesOf(merged.values, theirs)
    const saved = Object.keys(changes).length > 0 ? await patch<Broadcast>(`${path}/${stored.id}`, changes) : now
    await show(saved)
    return saved
  }

  /** Shows what was saved. A request that began before it must not bring the older version back. */
  async function show(saved: Broadcast) {
    const { queryKey } = broadcastOf(saved.id)
    await client.cancelQueries({ queryKey, exact: true })
    seen.current = saved
    client.setQueryData(queryKey, saved)
    setBase(draftOf(saved))
    form.set(draftOf(saved))
    changed('broadcasts')
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: looks once at each version of the server
  useEffect(() => {
    if (!stored || seen.current === stored) return
    seen.current = stored
    take(draftOf(stored), form.values)
  }, [stored])

  const isChanged = Object.keys(changesOf(form.values, base)).length > 0
  return {
    form,
    notice,
    isChanged,
    dismiss: () => setNotice(undefined),
    /** Replaces what both changed by the other person's version. */
    takeTheirs: () => {
      if (!notice) return
      form.set(Object.fromEntries(notice.clashes.map((field) => [field, notice.theirs[field]])) as Partial<Draft>)
      form.setError(undefined)
      setNotice(undefined)
    },
  }
}
export type DraftForm = ReturnType<typeof useDraft>['form']
