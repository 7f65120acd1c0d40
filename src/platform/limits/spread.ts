/** Few jobs come back soon, and thousands come a hundred in a second. */
const gapMs = 10

/**
 * Gives each caller its own time: the wanted one or a later one, within `overMs`. Jobs that are all told to come back at
 * the same time would otherwise hold up the jobs of others. The first caller gets the very time it wants.
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
