import { setTimeout as sleep } from 'node:timers/promises'
import { memoryMiB } from './processes.ts'

/** Rare enough to cost little: each sample takes the kernel a few milliseconds for each process. */
const sampleMs = 500

/** Runs `work`. Returns its result and the peak memory of the process tree in the samples. */
export async function withPeakMemory<T>(root: number, work: () => Promise<T>): Promise<{ made: T; peakMiB: number }> {
  let [going, peakMiB] = [true, 0]
  const look = async () => {
    peakMiB = Math.max(peakMiB, (await memoryMiB(root)) ?? 0)
  }
  const watching = (async () => {
    while (going) {
      await look()
      await sleep(sampleMs)
    }
  })()
  try {
    const made = await work()
    await look()
    return { made, peakMiB }
  } finally {
    going = false
    await watching
  }
}
