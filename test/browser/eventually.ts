import { setTimeout as sleep } from 'node:timers/promises'
import { patienceMs } from '../patience.ts'

const pauseMs = 50

/** Repeats a check until it passes. After `patienceMs` it fails with the check's own error. */
export async function eventually(check: () => Promise<void> | void): Promise<void> {
  const endsAt = performance.now() + patienceMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > endsAt) throw error
    }
    await sleep(pauseMs)
  }
}
