import type { App } from '../../../context.ts'
import type { JobResult, TeamJob } from '../../../platform/jobs/job.ts'
import { deleteHeldJobs } from '../../../platform/jobs/leases.ts'
import { countEndedExecutions } from '../count-executions.ts'
import { closeNodes } from './close-nodes.ts'

/** How often in a row processes may take over an execution without completing a node of it. */
const takeUpsMax = 20

export function isGivenUp({ attempts }: TeamJob): boolean {
  return attempts > takeUpsMax
}

const error = `Given up: it was begun ${takeUpsMax} times, and each time the process failed or ended. The log tells why.`

/** Fails an execution that no process could continue, so that it is not taken over for ever. */
export async function giveUp(app: App, job: TeamJob): Promise<JobResult> {
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
    countEndedExecutions(tx, [{ teamId, status: 'failed' }])
  })
  return 'settled'
}
