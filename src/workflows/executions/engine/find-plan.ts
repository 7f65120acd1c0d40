import { sql } from 'kysely'
import type { App } from '../../../context.ts'
import type { Graph } from '../../graph/graph.ts'
import { nodeTypeOf } from '../../nodes/registry.ts'
import { type Plan, planGraph } from './step/plan.ts'

/** A graph never changes, so what is known of one stays true. */
const knownMaxBytes = 32 * 1024 * 1024
/** The memory of one name that a node knows, in bytes. */
const nameBytes = 40

type Known = { plans: Map<string, { plan: Promise<Plan>; sizeBytes: number }>; sizeBytes: number }
const knownOf = new WeakMap<App, Known>()

/** The graph of an execution, remembered while others run it too. */
export function findPlan(app: App, teamId: string, graphId: string): Promise<Plan> {
  const known = knownOf.get(app) ?? { plans: new Map(), sizeBytes: 0 }
  knownOf.set(app, known)
  const found = known.plans.get(graphId)
  if (found) return found.plan
  const entry = { plan: load(), sizeBytes: 0 }
  known.plans.set(graphId, entry)
  entry.plan.catch(() => known.plans.delete(graphId))
  return entry.plan

  async function load(): Promise<Plan> {
    const { rows } = await sql<Graph & { sizeBytes: number }>`
      select nodes, connections, octet_length(nodes::text) + octet_length(connections::text) as "sizeBytes"
      from workflow_graphs where team_id = ${teamId} and id = ${graphId}
    `.execute(app.db)
    const row = rows[0]
    if (!row) throw new Error(`The graph ${graphId} of an execution is gone.`)
    const plan = planGraph(row, nodeTypeOf)
    const names = plan.nodes.reduce((count, { knows }) => count + knows.size, 0)
    const sizeBytes = row.sizeBytes + names * nameBytes
    makeRoom(known, sizeBytes)
    entry.sizeBytes = sizeBytes
    known.sizeBytes += sizeBytes
    return plan
  }
}

/** The longest known go first. */
function makeRoom(known: Known, sizeBytes: number): void {
  for (const [id, entry] of known.plans) {
    if (known.sizeBytes + sizeBytes <= knownMaxBytes) return
    if (entry.sizeBytes === 0) continue
    known.plans.delete(id)
    known.sizeBytes -= entry.sizeBytes
  }
}
