import type { Tx } from '../context.ts'
import { refuseMoreThan } from '../platform/sql/refuse-more-than.ts'
import type { Graph } from './graph/graph.ts'
import { insertGraph, refuseTooLarge } from './graph/insert.ts'
import { newTriggerKey } from './trigger-key.ts'

/** Bounds the workflows of a team. */
const workflowsMax = 1000

/**
 * Inserts a draft and returns its id. Throws `conflict` if the team has 1,000 workflows, or too much in their graphs.
 */
export async function insertWorkflow(
  tx: Tx,
  teamId: string,
  { name, description, graph }: { name: string; description: string | null; graph: Graph },
): Promise<string> {
  await refuseMoreThan(tx, teamId, 'workflows', workflowsMax, 'workflows')
  const id = tx.newId()
  const graphId = await insertGraph(tx, teamId, id, graph)
  await tx.db
    .insertInto('workflows')
    .values({
      team_id: teamId,
      id,
      name,
      description,
      graph_id: graphId,
      trigger_key: newTriggerKey(),
      created_at: tx.now,
    })
    .execute()
  await refuseTooLarge(tx, teamId)
  return id
}
