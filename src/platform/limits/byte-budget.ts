import { createTally } from './tally.ts'

/** A fair share of memory for each owner. Refuses bytes that do not fit, and never waits. */
export type ByteBudget = {
  /** `owner` is a team, or the network of a client without a key. */
  lease(owner: string): ByteLease
  /** Tells whether the owner holds more than its largest share, which only `hold` allows. */
  isOverfull(owner: string): boolean
}

export type ByteLease = {
  /** Counts the bytes and returns true. Returns false, and counts nothing, if the owner's share is full. */
  take(sizeBytes: number): boolean
  /** Counts bytes that are in memory already, also beyond the share. */
  hold(sizeBytes: number): void
  end(): void
}

/** This much of each lease is not counted, so that small contents are not refused because others are large. */
export const freeBytes = 64 * 1024

/**
 * Divides `bytesMax` among owners. An owner may hold twice what it leaves free: two thirds of the budget while it is
 * alone, and less the more others hold. So a further owner always gets a share.
 */
export function createByteBudget(bytesMax: number): ByteBudget {
  const holdings = createTally()
  let held = 0

  function count(owner: string, bytes: number): void {
    held += bytes
    holdings.add(owner, bytes)
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
          const left = bytesMax - held - wanted
          if (wanted > 0 && holdings.of(owner) + wanted > 2 * left) return false
          hold(sizeBytes)
          return true
        },
        hold,
        end() {
          if (counted > 0) count(owner, -counted)
          counted = 0
        },
      }
    },
    isOverfull: (owner) => holdings.of(owner) > (2 / 3) * bytesMax,
  }
}
