import { isDeepStrictEqual } from 'node:util'
import type { App, Tx } from '../../../context.ts'
import { returnHeldJobs } from '../../../platform/jobs/leases.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import { lockTerms, type Terms } from '../../../teams/queries.ts'
import type { EmailJob } from '../../jobs.ts'

type Limited = { job: EmailJob; until: Date; terms: Terms }

/**
 * Returns the jobs of emails that wait for a limit of their team. A change of the limits hurries only jobs that no
 * process holds, so emails whose `terms` have changed since they were read are due now.
 */
export const returnLimited: (app: App, limited: Limited) => Promise<'recorded'> = gatheredFor(
  (app, all) => app.transaction((tx) => returnAll(tx, all)),
  { itemsMax: 100, flushesMax: 2 },
)

async function returnAll(tx: Tx, all: Limited[]): Promise<'recorded'[]> {
  // A change that waits for this lock finds the jobs returned.
  const termsByTeam = await lockTerms(
    tx,
    all.map(({ job }) => job.teamId),
  )
  const returns = all.map(({ job, until, terms }) => ({
    lease: job,
    runAt: isDeepStrictEqual(termsByTeam.get(job.teamId), terms) ? until : tx.now,
    payload: { ...job.payload, waitingForLimit: true as const },
  }))
  await returnHeldJobs(tx, returns)
  return all.map(() => 'recorded')
}
