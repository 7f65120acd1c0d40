import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { forgetCaused } from '../../platform/cause/note.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { deleteJobs } from '../../platform/jobs/waiting-jobs.ts'
import { teamsNaming } from '../../platform/mode/mode.ts'
import { deleteUnnamedGraphs } from '../graph/forget.ts'
import { forgetExecutionsJob, runExecutionJob, unparkExecutionJob } from '../jobs.ts'
import { cancelUnended } from './cancel.ts'
import { abandon } from './engine/running.ts'

/** With 200 nodes each and their data, as much as one commit should delete. */
const pageSize = 100
/** How many running executions end in the commit that deletes their workflow. The others end with the first pages. */
const stoppedMax = 1000

/** Deletes the executions of a deleted workflow, one page in each commit. Its key is the workflow's id. */
export const forgetExecutions = defineJob(forgetExecutionsJob, {
  concurrency: 1,
  retryDelaysMs: [60_000],
  async run(app, job) {
    for (const teamId of teamsNaming(job.teamId)) {
      const count = await app.transaction((tx) => forgetPage(app, tx, teamId, job.key))
      if (count === pageSize) return { runAt: app.clock.now() }
    }
    return undefined
  },
})

/**
 * Stops the executions of a workflow that is being deleted, those of test mode too, and enqueues the job that deletes
 * them.
 */
export async function forgetExecutionsOf(app: App, tx: Tx, teamId: string, workflowId: string): Promise<void> {
  for (const id of teamsNaming(teamId)) await stopExecutions(app, tx, await findPage(tx, id, workflowId, stoppedMax))
  await enqueueJob(tx, forgetExecutionsJob, { key: workflowId, teamId })
}

async function forgetPage(app: App, tx: Tx, teamId: string, workflowId: string): Promise<number> {
  const ids = await findPage(tx, teamId, workflowId, pageSize)
  await stopExecutions(app, tx, ids)
  await cancelUnended(tx, teamId, ids)
  await deleteExecutions(tx, teamId, ids)
  return ids.length
}

/** Deletes executions with all that belongs to them, and the former graphs that only they had. */
export async function deleteExecutions(tx: Tx, teamId: string, ids: string[]): Promise<void> {
  await sql`
    delete from workflow_execution_nodes where team_id = ${teamId} and execution_id = any(${ids}::uuid[])
  `.execute(tx.db)
  await sql`
    delete from workflow_broadcasts where team_id = ${teamId} and execution_id = any(${ids}::uuid[])
  `.execute(tx.db)
  await forgetCaused(tx, teamId, ids)
  const { rows } = await sql<{ graphId: string }>`
    delete from workflow_executions where team_id = ${teamId} and id = any(${ids}::uuid[]) returning graph_id as "graphId"
  `.execute(tx.db)
  await deleteUnnamedGraphs(tx, teamId, [...new Set(rows.map(({ graphId }) => graphId))])
}

/** Deletes their jobs, so that a process that records a step finds its lease lost. */
async function stopExecutions(app: App, tx: Tx, ids: string[]): Promise<void> {
  await deleteJobs(tx, [runExecutionJob, unparkExecutionJob], ids)
  tx.afterCommit(() => abandon(app, ids))
}

/** Finds running and waiting executions first, since they have to stop. Their statuses are the last in the alphabet. */
async function findPage(tx: Tx, teamId: string, workflowId: string, size: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from workflow_executions where team_id = ${teamId} and workflow_id = ${workflowId}
    order by status desc limit ${size}
  `.execute(tx.db)
  return rows.map(({ id }) => id)
}
