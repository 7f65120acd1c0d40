import type { App } from '../../../../context.ts'
import { perApp } from '../../../../platform/per-app.ts'

/** More would only stand in line for the database's connections, before requests that wait for an answer. */
const sideBySideMax = 32

const lineOf = perApp(() => ({ waiting: [] as (() => void)[], working: 0 }))

/** Reads and composes for deliveries, so many at a time, first come first served. As many wait as there are jobs. */
export async function preparing<T>(app: App, work: () => Promise<T>): Promise<T> {
  const line = lineOf(app)
  if (line.working < sideBySideMax) line.working++
  // A piece of work that ends hands its place on.
  else await new Promise<void>((resolve) => line.waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = line.waiting.shift()
    if (next) next()
    else line.working--
  }
}
