import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

const patience = Number(process.env.TEST_PATIENCE ?? 1)

/**
 * The longest wait for something that happens, in ms. It only ends a test that would wait for ever, so it is far longer
 * than the thing takes. `TEST_PATIENCE=3` makes it three times as long, for a machine that is slow or busy.
 */
export const patienceMs = 180_000 * patience

/** The longest time for what takes moments, where a fault makes it take minutes, in ms. */
export const promptMs = 20_000 * patience

/** Waits until something is so that others bring about. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const endsAt = performance.now() + patienceMs; performance.now() < endsAt; await sleep(1))
    if (await isSo()) return
  assert.fail('what was waited for did not come')
}

const dayMs = 24 * 3_600_000

/** Waits for the next day in UTC if it is near, since the limits and figures of a day begin again then. */
export async function awayFromMidnight(): Promise<void> {
  const leftMs = dayMs - (Date.now() % dayMs)
  if (leftMs < 3 * promptMs) await sleep(leftMs)
}
