import { sql } from 'kysely'
import type { App } from '../../../context.ts'
import { createLru } from '../../../platform/lru.ts'
import { teamsReadBy } from '../../../platform/mode/mode.ts'
import { perApp } from '../../../platform/per-app.ts'
import type { Graph } from '../../graph/graph.ts'
import { openSecrets, type StoredNodes } from '../../graph/secrets.ts'
import { nodeTypeOf } from '../../nodes/registry.ts'
import { type Plan, planGraph } from './step/plan.ts'

/** The estimated memory of one name in a node's context. */
const nameBytes = 40

type Known = { plan: Promise<Plan>; readAt: number; sizeBytes: number }

const knownMaxBytes = 32 * 1024 * 1024
/** Bounds the plans that are being loaded, whose size is not known yet. */
const knownMax = 20_000

/** A graph changes only when a person whom it names is erased, in whatever process. */
const knownForMs = 10_000

/** By the id of the graph. */
const knownOf = perApp(() =>
  createLru<Known>({ countMax: knownMax, bytesMax: knownMaxBytes, bytesOf: ({ sizeBytes }) => sizeBytes }),
)

/** Plans the graph of an execution. The plan is kept for a moment for other executions of the graph. */
export function findPlan(app: App, teamId: string, graphId: string): Promise<Plan> {
  const known = knownOf(app)
  const found = known.get(graphId)
  const readAt = app.clock.now().getTime()
  if (found && readAt - found.readAt < knownForMs) return found.plan
  const plan = load()
  known.set(graphId, { plan, readAt, sizeBytes: 0 })
  plan.catch(() => known.delete(graphId))
  return plan

  async function load(): Promise<Plan> {
    const { rows } = await sql<StoredNodes & Pick<Graph, 'connections'> & { sizeBytes: number }>`
      select id, nodes, secrets, connections,
        octet_length(nodes::text) + octet_length(connections::text) + coalesce(octet_length(secrets), 0) as "sizeBytes"
      from workflow_graphs where team_id = any(${teamsReadBy(teamId)}::uuid[]) and id = ${graphId}
    `.execute(app.db)
    const row = rows[0]
    if (!row) throw new Error(`The graph ${graphId} of an execution is gone.`)
    const made = planGraph({ nodes: openSecrets(app.keyring, row), connections: row.connections }, nodeTypeOf)
    const names = made.nodes.reduce((count, { knows }) => count + knows.size, 0)
    known.set(graphId, { plan, readAt, sizeBytes: row.sizeBytes + names * nameBytes })
    return made
  }
}
