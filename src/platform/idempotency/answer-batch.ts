import type { App } from '../../context.ts'
import { deleteRequestKeys, type RequestKey, type StoredResponse, storeResponses } from './keys.ts'

/** Stores what a batch is answered; null frees its key, since nothing was sent. */
export async function answerBatch(app: App, key: RequestKey | null, response: StoredResponse | null): Promise<void> {
  if (!key) return
  await app.transaction((tx) => (response ? storeResponses(tx, [{ key, response }]) : deleteRequestKeys(tx, [key])))
}
