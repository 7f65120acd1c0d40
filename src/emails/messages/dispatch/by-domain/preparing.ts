/** More would only stand in line for the database's connections, before whoever waits for an answer. */
const sideBySideMax = 32

const waiting: (() => void)[] = []
let working = 0

/** Reads and composes for deliveries, so many at a time, first come first served; as many wait as there are jobs. */
export async function preparing<T>(work: () => Promise<T>): Promise<T> {
  if (working < sideBySideMax) working++
  // Whoever is done hands the turn on.
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else working--
  }
}
