import { type ChangedPath, changeLatest } from '../api/change-latest.ts'
import { client } from '../api/client.ts'
import type { Answer } from '../api/request.ts'
import { oneById } from '../api/use-one.ts'
import type { mergeTexts, Texts } from './merge.ts'

/** What is stored is not what it was. Nothing was changed. */
class Unsaved extends Error {}

type Options<P extends ChangedPath, Values extends Texts> = {
  path: P
  id: string
  valuesOf: (thing: Answer<P>) => Values
  changesOf: (values: Values, stored: Values) => object
  refuse?: ((thing: Answer<P>) => string | undefined) | undefined
  /** Takes in the version that the server has. If it is `before`, nothing changes. */
  take: (before: Values, theirs: Values, values: Values) => ReturnType<typeof mergeTexts<Values>>
}

/**
 * Saves values that were typed over `before`, over whatever version the server has. Returns what it has then, and what
 * was sent.
 */
export async function saveOver<P extends ChangedPath, Values extends Texts>(
  { path, id, valuesOf, changesOf, refuse, take }: Options<P, Values>,
  before: Values,
  values: Values,
) {
  const sent = { before, values }
  const after = await changeLatest(path, { id }, (now) => {
    const refusal = refuse?.(now)
    if (refusal) {
      client.setQueryData(oneById(path, now.id).queryKey, now)
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
