/** The requests that a caller may make in the current minute, and what is left of them. */
export type RequestWindow = {
  limit: number
  remaining: number
  resetAtSeconds: number
  allowed: boolean
  /** Present if the limit of all callers of the team is passed, instead of the caller's. */
  teamLimit?: number
}
