/** Attempts side by side at one endpoint: few where it does not answer, so that a dead one costs little. */
export const windowMin = 4
export const windowMax = 50
/** Of this process at all endpoints together; past it, each endpoint has its least. */
const flyingMax = 1000

/** A success widens the window by one, so it doubles with each round; a failure halves it. */
export function nextWindow(window: number, success: boolean): number {
  return success ? Math.min(window + 1, windowMax) : Math.max(window >> 1, windowMin)
}

let flyingInProcess = 0

/** How many attempts an endpoint may have under way now. */
export function allowance(window: number): number {
  return flyingInProcess < flyingMax ? window : windowMin
}

/** Counts an attempt for as long as it takes. */
export async function whileFlying<T>(attempt: () => Promise<T>): Promise<T> {
  flyingInProcess++
  try {
    return await attempt()
  } finally {
    flyingInProcess--
  }
}
