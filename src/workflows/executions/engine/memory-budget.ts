import type { App } from '../../../context.ts'

/** Memory that work under way may fill, in bytes. */
export type MemoryBudget = {
  /** Waits until there is so much; alone, anybody gets in, and what is small does not wait. First come, first served. */
  take(bytes: number): Promise<void>
  /** What is in already cannot wait. */
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

/** Of JSON, which is what is kept; of all that is read of it little at a time is (`context/read-once.ts`). */
const contextsMaxBytes = 128 * 1024 * 1024
/** Hundreds of these are nothing. */
const smallBytes = 32 * 1024
const budgets = new WeakMap<App, MemoryBudget>()

/** For what the executions under way in this process have to remember. */
export function memoryBudgetOf(app: App): MemoryBudget {
  const budget = budgets.get(app) ?? createMemoryBudget({ maxBytes: contextsMaxBytes, smallBytes })
  budgets.set(app, budget)
  return budget
}
