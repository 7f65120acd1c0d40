import { setTimeout as sleep } from 'node:timers/promises'

const waitMaxMs = 15_000
const pauseMs = 50

/** Repeats a check until it passes. After 15 seconds it fails with the check's own error. */
export async function eventually(check: () => Promise<void> | void): Promise<void> {
  const endsAt = performance.now() + waitMaxMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > endsAt) throw error
    }
    await sleep(pauseMs)
  }
}
