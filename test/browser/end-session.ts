import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Ends the session on the server. A cookie that is taken away can come back with an answer that is on its way. */
export async function endSession(page: Page): Promise<void> {
  const { origin } = new URL(page.url())
  const answer = await page.request.delete(`${origin}/auth/session`, { headers: { origin } })
  assert.ok(answer.ok(), await answer.text())
}
