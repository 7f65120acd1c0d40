import type { Tx } from '../../context.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.ts'
import { deleteJob } from '../../platform/jobs/waiting-jobs.ts'
import type { Graph, GraphNode } from '../graph/graph.ts'
import { fireScheduleJob } from '../jobs.ts'
import { nodeTypeOf } from '../nodes/registry.ts'
import { nextDue, type ScheduleConfig } from './schedule/due.ts'
import { refuseTooManyFires } from './schedule/refuse-too-many.ts'

export type SwitchedWorkflow = { teamId: string; workflowId: string; graph: Graph }

/** From here on the workflow's trigger fires; called as it becomes active. Throws `unprocessable` past the plan's schedules. */
export async function startTrigger(tx: Tx, { teamId, workflowId, graph }: SwitchedWorkflow): Promise<void> {
  const node = graph.nodes.find(({ type }) => nodeTypeOf(type)?.kind === 'trigger')
  if (!node) throw new Error('An active workflow has a trigger.')
  if (node.type === 'schedule') await refuseTooManyFires(tx, teamId, node.config as ScheduleConfig)
  await tx.db
    .insertInto('workflow_triggers')
    .values({
      ...{ team_id: teamId, workflow_id: workflowId, type: node.type },
      ...{ events: eventsOf(node), config: JSON.stringify(node.config) },
    })
    .execute()
  if (node.type !== 'schedule') return
  const due = nextDue(node.config as ScheduleConfig, tx.now)
  if (due)
    await enqueueJob(tx, fireScheduleJob, { key: workflowId, teamId, runAt: due, payload: { due: due.toISOString() } })
}

/** It fires no more; called as it becomes inactive. */
export async function stopTrigger(tx: Tx, teamId: string, workflowId: string): Promise<void> {
  await tx.db
    .deleteFrom('workflow_triggers')
    .where('team_id', '=', teamId)
    .where('workflow_id', '=', workflowId)
    .execute()
  // Whoever is firing it has lost its lease.
  await deleteJob(tx, fireScheduleJob, workflowId)
}

/** As they are published; none of what no event fires. */
function eventsOf({ type, config }: GraphNode): string[] {
  const names = (config.events ?? []) as string[]
  if (type === 'email_event') return names.map((name) => `email.${name.replace(/^email\./, '')}`)
  if (type === 'contact_event') return names.map((name) => `contact.${name}`)
  return type === 'broadcast_complete' ? ['broadcast.completed'] : []
}
