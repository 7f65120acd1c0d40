import type { App } from '../../../context.ts'
import type { JobResult, TeamJob } from '../../../platform/jobs/job.ts'
import { deleteHeldJobs } from '../../../platform/jobs/leases.ts'
import { closeNodes } from './close-nodes.ts'

/** Processes, or attempts of one, that may fail with an execution one after the other and get nothing done. */
const takeUpsMax = 20

export function isHopeless({ attempts }: TeamJob): boolean {
  return attempts > takeUpsMax
}

const error = `Given up: it was begun ${takeUpsMax} times, and each time the process failed or ended. The log tells why.`

/** An execution that nobody can run must not go round for ever. */
export async function endHopeless(app: App, job: TeamJob): Promise<JobResult> {
  const [teamId, id] = [job.teamId, job.key]
  await app.transaction(async (tx) => {
    const held = await deleteHeldJobs(tx, [job])
    if (held.size === 0) return
    await closeNodes(tx, teamId, [id])
    await tx.db
      .updateTable('workflow_executions')
      .set({ status: 'failed', error, completed_at: tx.now })
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .where('status', 'in', ['running', 'waiting'])
      .execute()
  })
  return 'settled'
}
