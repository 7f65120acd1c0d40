import { perApp } from '../../../platform/per-app.ts'

/** A budget of memory that teams share, in bytes. */
type MemoryBudget = {
  /**
   * Waits until so many bytes are free. Of those that wait, the team that uses the least comes first. Small amounts do
   * not wait; an empty budget admits any amount.
   */
  take(teamId: string, bytes: number): Promise<void>
  /** Changes what a team took by so many bytes, without waiting. */
  grow(teamId: string, bytes: number): void
  give(teamId: string, bytes: number): void
  /** True if the budget is used up and the team uses more than an equal share of it. */
  isOver(teamId: string): boolean
}

type Waiting = { teamId: string; bytes: number; enter(): void }

export function createMemoryBudget({ maxBytes, smallBytes }: { maxBytes: number; smallBytes: number }): MemoryBudget {
  let used = 0
  const usedBy = new Map<string, number>()
  const line: Waiting[] = []

  function use(teamId: string, bytes: number): void {
    used += bytes
    const left = usage(teamId) + bytes
    if (left > 0) usedBy.set(teamId, left)
    else usedBy.delete(teamId)
  }

  function admit(): void {
    while (line.length > 0) {
      const next = line.reduce((least, waiting) => (usage(waiting.teamId) < usage(least.teamId) ? waiting : least))
      if (used > 0 && used + next.bytes > maxBytes) return
      line.splice(line.indexOf(next), 1)
      use(next.teamId, next.bytes)
      next.enter()
    }
  }

  function usage(teamId: string): number {
    return usedBy.get(teamId) ?? 0
  }

  return {
    async take(teamId, bytes) {
      if (bytes <= smallBytes) return use(teamId, bytes)
      return new Promise((enter) => {
        line.push({ teamId, bytes, enter })
        admit()
      })
    },
    grow: use,
    give(teamId, bytes) {
      use(teamId, -bytes)
      admit()
    },
    isOver: (teamId) => used > maxBytes && usage(teamId) * usedBy.size > maxBytes,
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
