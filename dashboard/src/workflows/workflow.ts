import { queryOptions, useQuery } from '@tanstack/react-query'
import { get, withQuery } from '../api/call.ts'
import type { Page } from '../api/json.ts'
import { keys } from '../api/keys.ts'
import { developers } from '../api/roles.ts'
import { useHasRole } from '../session/me.ts'
import type { Graph } from './graph/graph.ts'
import type { Schema } from './settings/schema.ts'

export const workflowsPath = '/v1/workflows'

export type Workflow = Graph & {
  id: string
  name: string
  description: string | null
  status: 'draft' | 'active' | 'inactive'
  triggerUrl: string | null
  triggerKey: string | null
  createdAt: string
}

/** A type of steps, with the JSON Schemas of its config and of its output. */
export type StepType = {
  type: string
  kind: 'trigger' | 'action'
  title: string
  description: string
  configSchema: Schema
  outputSchema: Schema
  branches: string[]
  /** Only owners, admins and developers may use it. */
  restricted: boolean
}
export type StepTypes = ReadonlyMap<string, StepType>

/** The types do not change while the server runs. */
export const stepTypesQuery = queryOptions({
  queryKey: keys.part('node-types', 'all'),
  queryFn: async ({ signal }): Promise<StepTypes> => {
    const { data } = await get<Page<StepType>>(withQuery(`${workflowsPath}/node-types`, { limit: 100 }), { signal })
    return new Map(data.map((one) => [one.type, { ...one, description: one.description.replaceAll('`', '') }]))
  },
  staleTime: Number.POSITIVE_INFINITY,
})

export function useStepTypes() {
  return useQuery(stepTypesQuery)
}

/** Tells whether a person who may write workflows may change, copy and delete this one. */
export function useMayChange({ nodes }: Graph): boolean {
  const mayAll = useHasRole(developers)
  const { data: types } = useStepTypes()
  return mayAll || !nodes.some(({ type }) => types?.get(type)?.restricted)
}

export const triggerOf = ({ nodes }: Graph, types: StepTypes) =>
  nodes.find(({ type }) => types.get(type)?.kind === 'trigger')
