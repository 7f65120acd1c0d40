/** The distance between two times: a hundred jobs in a second. */
const gapMs = 10

/**
 * Gives each caller a different time: the wanted one or a later one, within `overMs`. Many jobs at the same time would
 * delay the jobs of others. The first caller gets exactly the time that it wants.
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
