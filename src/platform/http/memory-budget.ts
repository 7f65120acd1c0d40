import { type DomainError, unavailable } from '../errors.ts'

/** The memory that all requests together may hold for bodies, or for answers, in fair shares. */
export type MemoryBudget = {
  /** `owner` is who the bytes are counted against: a team, or the network of a stranger. */
  lease(owner: string): MemoryLease
  /** Whether more than the whole share is held, which only `hold` leads to. */
  isOverfull(owner: string): boolean
}
export type MemoryLease = {
  /** The refusal where the owner's share is full; then nothing is counted. */
  take(sizeBytes: number): DomainError | null
  /** Counts bytes that are there already, also beyond the share. */
  hold(sizeBytes: number): void
  end(): void
}

/** Small bodies and answers are never refused because others are large. */
export const freeBytes = 64 * 1024

/**
 * Many large bodies or answers at once must not exhaust the memory: those beyond the budget are told to come again. One
 * owner may hold twice what it leaves free to others: two thirds of the budget while it is alone, less the more others hold.
 * So there is always room for the next owner.
 */
export function memoryBudget(
  sizeMax: number,
  refusal = 'Too many large requests at once. Try again shortly.',
): MemoryBudget {
  const holdings = new Map<string, number>()
  let held = 0

  function count(owner: string, size: number): void {
    held += size
    const holding = (holdings.get(owner) ?? 0) + size
    if (holding > 0) holdings.set(owner, holding)
    else holdings.delete(owner)
  }

  return {
    lease(owner) {
      let size = 0
      let counted = 0
      const wantedOf = (sizeBytes: number) => Math.max(0, size + sizeBytes - freeBytes) - counted
      const hold = (sizeBytes: number) => {
        const wanted = wantedOf(sizeBytes)
        size += sizeBytes
        counted += wanted
        if (wanted > 0) count(owner, wanted)
      }
      return {
        take(sizeBytes) {
          const wanted = wantedOf(sizeBytes)
          const left = sizeMax - held - wanted
          if (wanted > 0 && (holdings.get(owner) ?? 0) + wanted > 2 * left) return unavailable(refusal, 2)
          hold(sizeBytes)
          return null
        },
        hold,
        end() {
          if (counted > 0) count(owner, -counted)
          counted = 0
        },
      }
    },
    isOverfull: (owner) => (holdings.get(owner) ?? 0) > (2 / 3) * sizeMax,
  }
}
