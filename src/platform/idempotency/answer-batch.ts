import type { App } from '../../context.ts'
import { deleteRequestKeys, type RequestKey, type StoredResponse, storeResponses } from './keys.ts'

/** Stores the answer of a batch. Null frees the key, since nothing was sent. */
export async function answerBatch(app: App, key: RequestKey | null, response: StoredResponse | null): Promise<void> {
  if (!key) return
  await app.transaction((tx) => (response ? storeResponses(tx, [{ key, response }]) : deleteRequestKeys(tx, [key])))
}
