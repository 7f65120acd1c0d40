/** Fast enough for few, and thousands come a hundred in a second. */
const gapMs = 10

/**
 * Jobs that are told the same time to come again would all come at once, in the way of other servers' mail: each gets a
 * time of its own, from the one wanted on, and within `overMs` of it. The first gets the very time.
 */
export function createSpread(overMs: number): (wantedMs: number) => number {
  let nextMs = 0
  return (wantedMs) => {
    const isNear = nextMs >= wantedMs && nextMs < wantedMs + overMs
    const atMs = isNear ? nextMs : wantedMs
    nextMs = atMs + gapMs
    return atMs
  }
}
