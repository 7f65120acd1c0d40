import { queryOptions, useQuery } from '@tanstack/react-query'
import { keys } from '../api/keys.ts'
import { type Answer, get, type RowOf } from '../api/request.ts'
import { developers } from '../api/roles.ts'
import { useHasRole } from '../session/me.ts'
import type { Graph } from './graph/graph.ts'
import type { Schema } from './settings/schema.ts'

export type Workflow = Answer<'/v1/workflows/:id'>

/** A type of steps, with the JSON Schemas of its config and of its output. */
export type StepType = RowOf<'/v1/workflows/node-types'> & { configSchema: Schema; outputSchema: Schema }
export type StepTypes = ReadonlyMap<string, StepType>

/** The types do not change while the server runs. */
export const stepTypesQuery = queryOptions({
  queryKey: keys.part('node-types', 'all'),
  queryFn: async ({ signal }): Promise<StepTypes> => {
    const { data } = await get('/v1/workflows/node-types', { limit: 100 }, { signal })
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
