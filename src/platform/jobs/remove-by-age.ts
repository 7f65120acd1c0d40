import type { App, Tx } from '../../context.ts'
import type { Schedule } from './job.ts'

/** One commit's rows, and the commits of a run. What is left waits for the next run. */
const rowsMax = 1000
const commitsMax = 100

/**
 * Makes the hourly schedule that removes rows of a certain age. `removeSome` removes up to `rowsMax` rows from before a
 * time and returns their number.
 */
export function removeByAge(
  kind: string,
  keepMs: number,
  removeSome: (tx: Tx, before: Date, rowsMax: number) => Promise<number>,
): Schedule {
  return {
    kind,
    everyMs: 3_600_000,
    async run(app: App) {
      const before = new Date(app.clock.now().getTime() - keepMs)
      for (let commits = 0; commits < commitsMax; commits++) {
        if ((await app.transaction((tx) => removeSome(tx, before, rowsMax))) < rowsMax) return
      }
    },
  }
}
