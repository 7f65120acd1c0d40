import { useEffect } from 'react'
import { executionStatuses } from '../../../../src/workflows/table.ts'
import { changed } from '../../api/client.ts'
import { type Prefetch, prefetchList, useList } from '../../api/list.ts'
import { useOne } from '../../api/use-one.ts'
import { Status } from '../../status/status.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { Empty } from '../../ui/frame/states.tsx'
import { useAddress, usePathPart } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { NoMatch } from '../../ui/table/no-match.tsx'
import { StatusFilter } from '../../ui/table/status-filter.tsx'
import { Table } from '../../ui/table/table.tsx'
import { ListTools } from '../../ui/table/tools.tsx'
import { Time } from '../../ui/text/time.tsx'
import { countOf } from '../../ui/text/words.ts'
import { durationOf, type Execution } from './execution.ts'

const followMs = 2000

const columns: Column<Execution>[] = [
  { name: 'Started', width: '190px', narrow: 'first', cell: ({ startedAt }) => <Time at={startedAt} isExact /> },
  { name: 'Status', width: '120px', narrow: 'first-end', cell: ({ status }) => <Status of={status} /> },
  { name: 'Steps', width: '90px', narrow: 'second-end', cell: ({ nodeCount }) => countOf(nodeCount, 'step') },
  {
    name: 'Took',
    width: '110px',
    isExtra: true,
    cell: ({ startedAt, completedAt }) => completedAt && durationOf(startedAt, completedAt),
  },
  {
    name: 'Error',
    width: '3fr',
    narrow: 'second',
    cell: ({ error }) => <span title={error ?? undefined}>{error}</span>,
  },
]

export const prefetch: Prefetch = (client, { params, search }) =>
  prefetchList(client, '/v1/workflows/:id/executions', { id: params.id!, status: search.status })

export default function Executions() {
  const workflowId = usePathPart('id')
  const [{ status }] = useAddress()
  const { data: workflow } = useOne('/v1/workflows/:id', { id: workflowId })
  const list = useList('/v1/workflows/:id/executions', { id: workflowId, status })
  useFollowing(workflowId, list.rows)
  return (
    <Page
      title="Executions"
      above={
        <>
          <Go to="/workflows">Workflows</Go> / <Go to={`/workflows/${workflowId}`}>{workflow?.name ?? 'Workflow'}</Go>
        </>
      }
    >
      <ListTools>
        <StatusFilter statuses={executionStatuses} />
      </ListTools>
      <Table
        name="Executions"
        list={list}
        columns={columns}
        to={({ id }) => `/workflows/${workflowId}/executions/${id}`}
        empty={
          status ? (
            <NoMatch title="No execution matches" />
          ) : (
            <Empty title="No executions yet">
              <p>Each time the workflow is triggered or run, its execution is listed here.</p>
            </Empty>
          )
        }
      />
    </Page>
  )
}

/** Asks again while an execution is running, in case its end came before the page heard the hints of the server. */
function useFollowing(workflowId: string, rows: Execution[] | undefined) {
  useEffect(() => {
    if (!rows?.some(({ status }) => status === 'running')) return
    const timer = setTimeout(() => changed(`workflows/${workflowId}/executions`), followMs)
    return () => clearTimeout(timer)
  }, [workflowId, rows])
}
