import { perApp } from '../../../platform/per-app.ts'

/** A budget of memory, in bytes. */
type MemoryBudget = {
  /**
   * Waits until so many bytes are free, in the order of the calls. Small amounts do not wait; an empty budget admits
   * any amount.
   */
  take(bytes: number): Promise<void>
  /** Changes what was taken by so many bytes, without waiting. */
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

/**
 * In bytes of JSON, the form in which executions keep their contexts. `context/read-once.ts` bounds the parsed values.
 */
const contextsMaxBytes = 128 * 1024 * 1024
/** Hundreds of executions of this size fit beside the budget. */
const smallBytes = 32 * 1024

/** The memory of all executions that a process runs. */
export const memoryBudgetOf = perApp(() => createMemoryBudget({ maxBytes: contextsMaxBytes, smallBytes }))
