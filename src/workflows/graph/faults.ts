import type { Db } from '../../context.ts'
import type { FieldError } from '../../platform/errors.ts'
import type { ReadConfigs } from './config-faults.ts'
import { fitnessFaults } from './fitness.ts'
import type { Graph } from './graph.ts'
import { referenceFaults } from './references.ts'

/** Finds every fault that keeps a graph from being activated, given what was read from its configs. */
export async function graphFaults(
  db: Db,
  teamId: string,
  graph: Graph,
  { faults, named }: ReadConfigs,
): Promise<FieldError[]> {
  return [...fitnessFaults(graph), ...faults, ...(await referenceFaults(db, teamId, named))]
}
