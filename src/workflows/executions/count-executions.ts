import type { Tx } from '../../context.ts'
import { committedCounter } from '../../platform/log/metrics.ts'
import { isTestTeam } from '../../platform/mode/mode.ts'
import type { ExecutionStatus } from '../table.ts'

/**
 * The cause that started an execution: a request to run or repeat it, the workflow's URL, its schedule, or an event.
 */
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

const goesOn: ExecutionStatus[] = ['running', 'waiting']

/** Counts started executions, except those of test mode. */
export function countStartedExecutions(tx: Tx, started: { teamId: string; startedBy: StartedBy }[]): void {
  const live = started.filter(({ teamId }) => !isTestTeam(teamId))
  const labels = live.map(({ startedBy }) => ({ by: startedBy }))
  countStarted(tx, labels)
}

/** Counts ended executions, except those of test mode; other statuses are ignored. */
export function countEndedExecutions(tx: Tx, changed: { teamId: string; status: ExecutionStatus | null }[]): void {
  const ended = changed.filter(({ teamId, status }) => !isTestTeam(teamId) && status && !goesOn.includes(status))
  const labels = ended.map(({ status }) => ({ status: status! }))
  countEnded(tx, labels)
}
