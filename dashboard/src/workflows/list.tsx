import { type Prefetch, prefetchList, useList } from '../api/list.ts'
import { useMay } from '../session/me.ts'
import { Status } from '../status/status.tsx'
import type { Column } from '../ui/table/columns.ts'
import { ListPage } from '../ui/table/list-page.tsx'
import { Time } from '../ui/text/time.tsx'
import { countOf } from '../ui/text/words.ts'
import { CreateWorkflow } from './create.tsx'
import { type StepTypes, stepTypesQuery, triggerOf, useStepTypes, type Workflow } from './workflow.ts'

function columnsWith(types: StepTypes | undefined): Column<Workflow>[] {
  const titleOf = (row: Workflow) => types?.get(triggerOf(row, types)?.type ?? '')?.title
  return [
    { name: 'Name', width: '3fr', narrow: 'first', cell: ({ name }) => name },
    { name: 'Status', width: '110px', narrow: 'first-end', cell: ({ status }) => <Status of={status} /> },
    {
      name: 'Trigger',
      width: '2fr',
      narrow: 'second',
      cell: (row) => titleOf(row) ?? <span className="muted">None</span>,
    },
    { name: 'Steps', width: '100px', isExtra: true, cell: ({ nodes }) => countOf(nodes.length, 'step') },
    { name: 'Created', width: '140px', narrow: 'second-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ]
}

export const prefetch: Prefetch = (client) => {
  prefetchList(client, '/v1/workflows')
  void client.prefetchQuery(stepTypesQuery)
}

export default function Workflows() {
  const list = useList('/v1/workflows')
  const { data: types } = useStepTypes()
  const mayWrite = useMay('POST /v1/workflows')
  return (
    <ListPage
      title="Workflows"
      actions={mayWrite && <CreateWorkflow />}
      list={list}
      columns={columnsWith(types)}
      to={({ id }) => `/workflows/${id}`}
      none="No workflows yet"
    >
      <p>
        A workflow acts when something happens: it greets a new contact, tells the team about a large order, or takes a
        bounced address out of the next broadcast.
      </p>
    </ListPage>
  )
}
