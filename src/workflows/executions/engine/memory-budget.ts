import { perApp } from '../../../platform/per-app.ts'

/** A budget of memory, in bytes. */
export type MemoryBudget = {
  /** Waits until so many bytes are free, first come first served. Small amounts do not wait, and any amount fits an empty budget. */
  take(bytes: number): Promise<void>
  /** Adds to what was taken already, without waiting; negative to give some back. */
  grow(bytes: number): void
  give(bytes: number): void
  isOver(): boolean
}

export function createMemoryBudget({ maxBytes, smallBytes }: { maxBytes: number; smallBytes: number }): MemoryBudget {
  let used = 0
  const line: { bytes: number; enter(): void }[] = []

  function admit(): void {
    while (line[0] && (used === 0 || used + line[0].bytes <= maxBytes)) {
      const { bytes, enter } = line.shift()!
      used += bytes
      enter()
    }
  }
  return {
    async take(bytes) {
      if (bytes > smallBytes) {
        return new Promise((enter) => {
          line.push({ bytes, enter })
          admit()
        })
      }
      used += bytes
    },
    grow(bytes) {
      used += bytes
    },
    give(bytes) {
      used -= bytes
      admit()
    },
    isOver: () => used > maxBytes,
  }
}

/** In bytes of JSON, the form in which executions keep what they know; `context/read-once.ts` bounds what is parsed. */
const contextsMaxBytes = 128 * 1024 * 1024
/** Hundreds of executions of this size do not matter. */
const smallBytes = 32 * 1024

/** The budget of all executions that this process runs. */
export const memoryBudgetOf = perApp(() => createMemoryBudget({ maxBytes: contextsMaxBytes, smallBytes }))
