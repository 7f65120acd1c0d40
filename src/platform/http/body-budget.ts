import { type DomainError, unavailable } from '../errors.ts'

/** What all requests may hold of bodies together, in fair shares. */
export type BodyBudget = {
  /** `owner` is who the body is counted against: a team, or the network of a stranger. */
  lease(owner: string): BodyLease
}
export type BodyLease = { take(sizeBytes: number): DomainError | null; end(): void }

/** Small bodies are never refused because others send large ones. */
const freeBytes = 64 * 1024

/**
 * Many large bodies at once must not exhaust the memory: those beyond the budget are told to come again. One owner may hold
 * twice what it leaves free to others: two thirds of the budget while it is alone, less the more others hold. So there is
 * always room for the next owner.
 */
export function bodyBudget(sizeMax: number): BodyBudget {
  const holdings = new Map<string, number>()
  let held = 0

  function hold(owner: string, size: number): void {
    held += size
    const holding = (holdings.get(owner) ?? 0) + size
    if (holding > 0) holdings.set(owner, holding)
    else holdings.delete(owner)
  }

  return {
    lease(owner) {
      let size = 0
      let counted = 0
      return {
        take(sizeBytes) {
          size += sizeBytes
          const wanted = Math.max(0, size - freeBytes) - counted
          const left = sizeMax - held - wanted
          if (wanted > 0 && (holdings.get(owner) ?? 0) + wanted > 2 * left)
            return unavailable('Too many large requests at once. Try again shortly.', 2)
          if (wanted > 0) hold(owner, wanted)
          counted += wanted
          return null
        },
        end() {
          if (counted > 0) hold(owner, -counted)
          counted = 0
        },
      }
    },
  }
}
