import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Prefetch } from '../../api/list.ts'
import { oneOf, useOne } from '../../api/use-one.ts'
import { Status } from '../../status/status.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { Fetch, titleWithout } from '../../ui/frame/states.tsx'
import { useAddress, usePathPart } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import { Fault } from '../../ui/text/fault.tsx'
import { Time } from '../../ui/text/time.tsx'
import { LazyCanvas, prefetchCanvas } from '../canvas/lazy-canvas.tsx'
import { Steps } from '../editor/steps.tsx'
import type { Graph } from '../graph/graph.ts'
import { type StepTypes, stepTypesQuery, useStepTypes } from '../workflow.ts'
import { ExecutionActions } from './actions.tsx'
import { durationOf, type ExecutionDetail } from './execution.ts'
import { StepDetails } from './step-details.tsx'

/** How often an execution under way is asked for, where no hint of the server tells of it. */
const runningMs = 1000
const waitingMs = 10_000

export const prefetch: Prefetch = (client, { params }) => {
  const of = { id: params.id!, exec_id: params.executionId! }
  void client.prefetchQuery(oneOf('/v1/workflows/:id/executions/:exec_id', of))
  void client.prefetchQuery(stepTypesQuery)
  prefetchCanvas(client.fetchQuery(oneOf('/v1/workflows/:id/executions/:exec_id/graph', of)))
}

/** One execution: its own graph with the state of each step. */
export default function ShowExecution() {
  const workflowId = usePathPart('id')
  const id = usePathPart('executionId')
  const execution = useQuery({
    ...oneOf('/v1/workflows/:id/executions/:exec_id', { id: workflowId, exec_id: id }),
    refetchInterval: ({ state }) => {
      const status = state.data?.status
      return status === 'running' ? runningMs : status === 'waiting' ? waitingMs : false
    },
  })
  const graph = useOne('/v1/workflows/:id/executions/:exec_id/graph', { id: workflowId, exec_id: id })
  const types = useStepTypes()
  const { data: workflow } = useOne('/v1/workflows/:id', { id: workflowId })
  return (
    <Page
      title={execution.data ? 'Execution' : titleWithout(execution.error, 'Execution')}
      above={
        <>
          <Go to="/workflows">Workflows</Go> / <Go to={`/workflows/${workflowId}`}>{workflow?.name ?? 'Workflow'}</Go> /{' '}
          <Go to={`/workflows/${workflowId}/executions`}>Executions</Go>
        </>
      }
      actions={execution.data && <ExecutionActions execution={execution.data} />}
    >
      <Fetch query={execution}>
        {(detail) => (
          <Fetch query={graph}>
            {(drawn) => (
              <Fetch query={types}>{(known) => <Shown execution={detail} graph={drawn} types={known} />}</Fetch>
            )}
          </Fetch>
        )}
      </Fetch>
    </Page>
  )
}

type Props = { execution: ExecutionDetail; graph: Graph; types: StepTypes }

function Shown({ execution, graph, types }: Props) {
  const [{ step }, setAddress] = useAddress()
  const states = useMemo(() => new Map(execution.nodes.map(({ nodeId, status }) => [nodeId, status])), [execution])
  // A failed step is shown first, and the first step otherwise.
  const first = execution.nodes.find(({ status }) => status === 'failed') ?? execution.nodes[0]
  const selected = step ?? first?.nodeId
  return (
    <>
      <p className="execution-facts">
        <Status of={execution.status} />
        <span>
          <Time at={execution.startedAt} isExact />
        </span>
        {execution.completedAt && (
          <span className="muted">took {durationOf(execution.startedAt, execution.completedAt)}</span>
        )}
      </p>
      {execution.error && <Fault error={new Error(execution.error)} />}
      <div className="editor">
        <div className="editor-steps">
          <h2>Steps</h2>
          <Steps {...{ graph, types, selected, states }} onSelect={(id) => setAddress({ step: id })} />
        </div>
        <LazyCanvas {...{ graph, types, selected, states }} onSelect={(id) => id && setAddress({ step: id })} />
        <StepDetails {...{ execution, graph, types, selected }} />
      </div>
    </>
  )
}
