import type { App, Tx } from '../../../context.ts'
import type { JobResult, TeamJob } from '../../../platform/jobs/job.ts'
import { deleteHeldJobs } from '../../../platform/jobs/leases.ts'
import { countEndedExecutions } from '../count-executions.ts'
import { closeNodes } from './close-nodes.ts'

/** The pauses after attempts to run or to unpark an execution that failed as a whole. */
export const executionRetryDelaysMs = [1000, 5000, 30_000]

/** How often in a row processes may begin to run an execution without completing a node of it. */
export const beginningsMax = 20

export function isGivenUp({ attempts }: TeamJob): boolean {
  return attempts > beginningsMax
}

const error = `Given up: it was begun ${beginningsMax} times, and each time the process failed or ended. The log tells why.`

/** Fails an execution that no process could continue, so that it is not taken over for ever. */
export async function giveUp(app: App, job: TeamJob): Promise<JobResult> {
  const [teamId, id] = [job.teamId, job.key]
  await app.transaction(async (tx) => {
    const held = await deleteHeldJobs(tx, [job])
    if (held.size > 0) await failExecution(tx, teamId, id, error)
  })
  return 'recorded'
}

export function failDiscarded(_: App, tx: Tx, job: TeamJob, reason: string): Promise<void> {
  return failExecution(tx, job.teamId, job.key, `Given up: ${reason}`)
}

/** Says why the execution cannot be repeated: its nodes are closed. */
export async function adviseRerun(): Promise<string> {
  return 'The execution has failed and cannot go on. Its team runs it again: POST /v1/workflows/{id}/executions/{exec_id}/rerun'
}

async function failExecution(tx: Tx, teamId: string, id: string, error: string): Promise<void> {
  await closeNodes(tx, teamId, [id])
  const failed = await tx.db
    .updateTable('workflow_executions')
    .set({ status: 'failed', error, completed_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('status', 'in', ['running', 'waiting'])
    .executeTakeFirst()
  if (failed.numUpdatedRows === 1n) countEndedExecutions(tx, [{ teamId, status: 'failed' }])
}
