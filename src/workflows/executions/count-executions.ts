import type { Tx } from '../../context.ts'
import { committedCounter } from '../../platform/metrics.ts'
import type { ExecutionStatus } from '../table.ts'

/** The cause that started an execution: a request to run or repeat it, the workflow's URL, its schedule, or an event. */
export type StartedBy = 'request' | 'rerun' | 'webhook' | 'schedule' | 'event'

const countStarted = committedCounter({
  name: 'posthorn_workflow_executions_started_total',
  help: 'Executions of workflows that were started, by what started them.',
  labelNames: ['by'],
})

const countEnded = committedCounter({
  name: 'posthorn_workflow_executions_ended_total',
  help: 'Executions of workflows that ended, by status: completed, failed or cancelled.',
  labelNames: ['status'],
})

export function countStartedExecutions(tx: Tx, started: { startedBy: StartedBy }[]): void {
  countStarted(
    tx,
    started.map(({ startedBy: by }) => ({ by })),
  )
}

/** Counts ended executions; other statuses are ignored. */
export function countEndedExecutions(tx: Tx, statuses: (ExecutionStatus | null)[]): void {
  countEnded(
    tx,
    statuses.flatMap((status) => (status === null || status === 'running' || status === 'waiting' ? [] : [{ status }])),
  )
}
