import type { App } from '../context.ts'
import type { Schedule } from '../platform/jobs/job.ts'
import type { RemovalInAllTeams } from '../platform/retention/removal.ts'

const hourMs = 3_600_000
/** The commits of a run for one table. Rows that are left wait for the next run. */
const commitsMax = 1000

/** Makes the schedules that remove rows of the same age in all teams, one for each kind. */
export function removeInAllTeams(removals: RemovalInAllTeams[]): Schedule[] {
  return [...Map.groupBy(removals, ({ kind }) => kind)].map(([kind, ofKind]) => ({
    kind,
    everyMs: ofKind[0]!.everyMs ?? hourMs,
    async run(app) {
      for (const removal of ofKind) await removeAll(app, removal)
    },
  }))
}

async function removeAll(app: App, { keptMs, remove }: RemovalInAllTeams): Promise<void> {
  const before = new Date(app.clock.now().getTime() - keptMs)
  for (let commits = 0; commits < commitsMax && !app.isDraining(); commits++) {
    if ((await app.transaction((tx) => remove(tx, before))) === 0) return
  }
}
