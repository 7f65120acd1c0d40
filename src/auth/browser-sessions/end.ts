import type { App, Caller } from '../../context.ts'
import { endLogin } from '../sessions/end.ts'

/** Ends the login of the caller, in every process at once. */
export async function endBrowserSession(app: App, { sessionId = '' }: Caller): Promise<{ revoked: true }> {
  await app.transaction((tx) => endLogin(tx, sessionId))
  return { revoked: true }
}
