import { useQueries, useQuery } from '@tanstack/react-query'
import { keys } from '../api/keys.ts'
import { get } from '../api/request.ts'
import { metricsOf } from '../metrics/counts.ts'
import { today } from './today.tsx'

/** Ours: each costs a request, which is made only where executions failed. */
const askedMax = 20

type FailedWorkflow = { id: string; name: string; failed: number }

/**
 * Finds the newest workflows whose executions failed today, of which there are `total`. `others` counts the executions
 * of older workflows.
 */
export function useFailedWorkflows(total: number): { isPending: boolean; found: FailedWorkflow[]; others: number } {
  const newest = useQuery({
    queryKey: keys.part('workflows', 'newest', { limit: askedMax }),
    queryFn: ({ signal }) => get('/v1/workflows', { limit: askedMax }, { signal }),
    enabled: total > 0,
  })
  const rows = total > 0 ? (newest.data?.data ?? []) : []
  const counted = useQueries({ queries: rows.map(({ id }) => metricsOf('workflows', today, { workflowId: id })) })
  const found = rows
    .map(({ id, name }, index) => ({ id, name, failed: counted[index]?.data?.total.failed ?? 0 }))
    .filter(({ failed }) => failed > 0)
  const sum = found.reduce((count, { failed }) => count + failed, 0)
  const isPending = total > 0 && [newest, ...counted].some(({ data, error }) => data === undefined && !error)
  return { isPending, found, others: Math.max(0, total - sum) }
}
