import { createStore } from '../../api/store.ts'

/** The ids of the open dialogs, the topmost last. What is behind it can neither be used nor heard. */
export const openDialogs = createStore<readonly string[]>([])

/** Notes a dialog that opens on top of the others. Returns how to note that it closes. */
export function noteDialog(id: string): () => void {
  openDialogs.set([...openDialogs.get(), id])
  return () => openDialogs.set(openDialogs.get().filter((other) => other !== id))
}
