import { Counter } from 'prom-client'
import type { App, Tx } from '../../context.ts'
import { DomainError } from '../../platform/errors.ts'
import { registry } from '../../platform/log/metrics.ts'
import { createLru } from '../../platform/lru.ts'
import { isTestTeam } from '../../platform/mode/mode.ts'
import { perApp } from '../../platform/per-app.ts'

const notStarted = new Counter({
  name: 'posthorn_workflow_executions_not_started_total',
  help: 'Executions of live mode that an event or a schedule did not start, because the team stores as much as its plan allows.',
  registers: [registry],
})

const lineEveryMs = 60_000
/** When the last line of a team was logged. */
const linesOf = perApp(() => createLru<number>({ countMax: 10_000 }))

/**
 * Counts the executions of live mode that `startExecutions` refused, and in each mode logs a line for a team once a
 * minute.
 */
export function noteNotStarted(app: App, tx: Tx, teamId: string, started: unknown[]): void {
  const refusals = started.filter((one) => one instanceof DomainError)
  const [refusal] = refusals
  if (!refusal) return
  tx.afterCommit(() => {
    if (!isTestTeam(teamId)) notStarted.inc(refusals.length)
    const lines = linesOf(app)
    const now = app.clock.now().getTime()
    if (now - (lines.get(teamId) ?? Number.NEGATIVE_INFINITY) < lineEveryMs) return
    lines.set(teamId, now)
    app.log.info({ teamId, ...refusal.details.extra }, `Executions were not started. ${refusal.message}`)
  })
}
