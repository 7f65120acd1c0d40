import { type DomainError, unavailable } from '../errors.ts'

/** What all requests may hold of bodies together. */
export type BodyBudget = { lease(): BodyLease }
export type BodyLease = { take(sizeBytes: number): DomainError | null; end(): void }

/** Small bodies are never refused because others send large ones. */
const freeBytes = 64 * 1024

/** Many large bodies at once must not exhaust the memory: those beyond the budget are told to come again. */
export function bodyBudget(sizeMax: number): BodyBudget {
  let held = 0
  return {
    lease() {
      let size = 0
      let counted = 0
      return {
        take(sizeBytes) {
          size += sizeBytes
          const wanted = Math.max(0, size - freeBytes) - counted
          if (held + wanted > sizeMax) return unavailable('Too many large requests at once. Try again shortly.', 2)
          held += wanted
          counted += wanted
          return null
        },
        end() {
          held -= counted
          counted = 0
        },
      }
    },
  }
}
