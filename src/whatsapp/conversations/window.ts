import type { App } from '../../context.ts'
import { isWindowOpen } from './open.ts'

/** Adds whether the customer can be answered freely now. */
export function withWindow<Row extends { windowExpiresAt: Date | null }>(app: App, row: Row) {
  return { ...row, windowOpen: isWindowOpen(row.windowExpiresAt, app.clock.now()) }
}
