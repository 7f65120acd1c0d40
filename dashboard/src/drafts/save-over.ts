import { type ChangedPath, changeLatest } from '../api/change-latest.ts'
import { client } from '../api/client.ts'
import { oneUntyped } from '../api/use-one.ts'
import type { mergeTexts, Texts } from './merge.ts'

/** What is stored is not what it was. Nothing was changed. */
class Unsaved extends Error {}

type Options<Thing, Values extends Texts> = {
  path: ChangedPath
  id: string
  valuesOf: (thing: Thing) => Values
  changesOf: (values: Values, stored: Values) => object
  refuse?: ((thing: Thing) => string | undefined) | undefined
  /** Takes in the version that the server has. If it is `before`, nothing changes. */
  take: (before: Values, theirs: Values, values: Values) => ReturnType<typeof mergeTexts<Values>>
}

/**
 * Saves values that were typed over `before`, over whatever version the server has. Returns what it has then, and what
 * was sent.
 */
export async function saveOver<Thing extends { id: string }, Values extends Texts>(
  { path, id, valuesOf, changesOf, refuse, take }: Options<Thing, Values>,
  before: Values,
  values: Values,
) {
  const sent = { before, values }
  const after = await changeLatest<Thing>(path, { id }, (now) => {
    const refusal = refuse?.(now)
    if (refusal) {
      client.setQueryData(oneUntyped<Thing>(path, { id: now.id }).queryKey, now)
      throw new Unsaved(refusal)
    }
    const theirs = valuesOf(now)
    const merged = take(sent.before, theirs, sent.values)
    if (merged.clashes.length > 0)
      throw new Unsaved('Not saved: someone else changed the same fields. Save again to replace theirs.')
    Object.assign(sent, { before: theirs, values: merged.values })
    const changes = changesOf(sent.values, theirs)
    return Object.keys(changes).length > 0 ? changes : null
  })
  return { after, sent: sent.values }
}
