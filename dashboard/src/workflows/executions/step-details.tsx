import { Status } from '../../status/status.tsx'
import { Empty } from '../../ui/frame/states.tsx'
import { Fact, Facts } from '../../ui/text/facts.tsx'
import { Time } from '../../ui/text/time.tsx'
import { type Graph, stepOf } from '../graph/graph.ts'
import type { StepTypes } from '../workflow.ts'
import { DataBlock } from './data-block.tsx'
import { durationOf, type ExecutionDetail } from './execution.ts'

type Props = { execution: ExecutionDetail; graph: Graph; types: StepTypes; selected: string | undefined }

/** Shows the input, the output and the error of a step. */
export function StepDetails({ execution, graph, types, selected }: Props) {
  const step = stepOf(graph, selected)
  const entry = execution.nodes.find(({ nodeId }) => nodeId === selected)
  if (!step || !entry) {
    return (
      <section aria-label="Step details" className="step-settings">
        <Empty title="Choose a step to see what it did" />
      </section>
    )
  }
  const type = types.get(step.type)
  const isTrigger = type?.kind === 'trigger'
  const hasBegun = entry.status !== 'pending' && entry.status !== 'skipped'
  return (
    <section aria-label="Step details" className="step-settings">
      <div className="form">
        <div className="step-head">
          <h2>{step.name}</h2>
          <p className="muted">{type?.title ?? step.type}</p>
        </div>
        <StepFacts entry={entry} />
        {entry.error && (
          <div className="section">
            <h3>Error</h3>
            <pre className="source source-fault">{entry.error}</pre>
          </div>
        )}
        {!hasBegun && <p className="muted">{whyNot(entry.status, execution.status)}</p>}
        {!isTrigger && hasBegun && <DataBlock key={`in ${entry.id}`} name="Input" value={entry.inputData} />}
        {hasBegun && (
          <DataBlock
            key={`out ${entry.id}`}
            name={isTrigger ? 'Trigger data' : 'Output'}
            value={isTrigger ? execution.triggerData : entry.outputData}
          />
        )}
      </div>
    </section>
  )
}

function StepFacts({ entry }: { entry: ExecutionDetail['nodes'][number] }) {
  const { status, startedAt, completedAt } = entry
  return (
    <Facts>
      <Fact name="Status">
        <Status of={status} />
      </Fact>
      {startedAt && (
        <Fact name="Began">
          <Time at={startedAt} isExact />
        </Fact>
      )}
      {startedAt && completedAt && <Fact name="Took">{durationOf(startedAt, completedAt)}</Fact>}
    </Facts>
  )
}

function whyNot(status: string, execution: string): string {
  if (status === 'skipped') return 'This step was skipped: its path was not taken.'
  return execution === 'running' || execution === 'waiting' ? 'This step has not begun yet.' : 'This step never began.'
}
