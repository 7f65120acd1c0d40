import { setTimeout as sleep } from 'node:timers/promises'
import { type Load, loadOf } from './closed-loop.ts'

/**
 * Begins a request every `1 / perSecond` seconds, whether or not earlier ones are answered. A latency counts from the
 * time at which the request was due, so a wait in the client counts too. The client's timer adds up to a millisecond.
 */
export async function openLoop(
  perSecond: number,
  seconds: number,
  work: (turn: number) => Promise<void>,
): Promise<Load> {
  const latenciesMs: number[] = []
  const running: Promise<void>[] = []
  const failures: unknown[] = []
  const startedMs = performance.now()
  for (let turn = 0; turn < perSecond * seconds; turn++) {
    const dueMs = startedMs + (turn / perSecond) * 1000
    const waitMs = dueMs - performance.now()
    if (waitMs > 0) await sleep(Math.ceil(waitMs))
    const answered = () => void latenciesMs.push(performance.now() - dueMs)
    running.push(work(turn).then(answered, (error) => void failures.push(error)))
  }
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
  return loadOf(latenciesMs, startedMs)
}
