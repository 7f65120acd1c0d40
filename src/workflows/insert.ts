import type { Tx } from '../context.ts'
import { conflict } from '../platform/errors.ts'
import type { Graph } from './graph/graph.ts'
import { insertGraph, refuseTooLarge } from './graph/insert.ts'
import { newTriggerKey } from './trigger-key.ts'

/** The list has no pages. */
const workflowsMax = 1000

/** Inserts a draft and returns its id. Throws `conflict` if the team has as many workflows as it may. */
export async function insertWorkflow(
  tx: Tx,
  teamId: string,
  { name, description, graph }: { name: string; description: string | null; graph: Graph },
): Promise<string> {
  await refuseTooMany(tx, teamId)
  const id = tx.newId()
  const graphId = await insertGraph(tx, teamId, id, graph)
  await tx.db
    .insertInto('workflows')
    .values({
      ...{ team_id: teamId, id, name, description, graph_id: graphId },
      ...{ trigger_key: newTriggerKey(), created_at: tx.now },
    })
    .execute()
  await refuseTooLarge(tx, teamId)
  return id
}

/** Racing requests may pass the bound by a few, which does no harm. */
async function refuseTooMany(tx: Tx, teamId: string): Promise<void> {
  const { count } = await tx.db
    .selectFrom('workflows')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= workflowsMax) throw conflict(`A team has ${workflowsMax} workflows at most. Delete one first.`)
}
