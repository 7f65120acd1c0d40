import type { Tx } from '../../context.ts'
import type { Graph } from '../graph/graph.ts'
import type { WorkflowId } from '../nodes/node.ts'
import { nodeTypeOf } from '../nodes/registry.ts'

/** Starts the trigger of a workflow. Throws the refusals of its type, such as for schedules past the plan. */
export async function activateTrigger(tx: Tx, workflow: WorkflowId, graph: Graph): Promise<void> {
  const { type, config, node } = triggerOf(graph)
  await node.activate?.(tx, workflow, config)
  await tx.db
    .insertInto('workflow_triggers')
    .values({
      team_id: workflow.teamId,
      workflow_id: workflow.workflowId,
      type,
      events: node.on?.listensTo(config) ?? [],
      config: JSON.stringify(config),
    })
    .execute()
}

export async function deactivateTrigger(tx: Tx, workflow: WorkflowId, graph: Graph): Promise<void> {
  await tx.db
    .deleteFrom('workflow_triggers')
    .where('team_id', '=', workflow.teamId)
    .where('workflow_id', '=', workflow.workflowId)
    .execute()
  await triggerOf(graph).node.deactivate?.(tx, workflow)
}

function triggerOf({ nodes }: Graph) {
  for (const { type, config } of nodes) {
    const node = nodeTypeOf(type)
    if (node?.kind === 'trigger') return { type, config, node }
  }
  throw new Error('An active workflow has a trigger.')
}
