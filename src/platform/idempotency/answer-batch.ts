import type { App } from '../../context.ts'
import { type RequestKey, type StoredResponse, storeResponses } from './keys.ts'

export async function answerBatch(app: App, key: RequestKey | null, response: StoredResponse): Promise<void> {
  if (key) await app.transaction((tx) => storeResponses(tx, [{ key, response }]))
}
