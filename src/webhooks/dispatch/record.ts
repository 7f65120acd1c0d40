import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { committedCounter } from '../../platform/log/metrics.ts'
import { plannedEachTime } from '../../platform/sql/named.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { gatheredFor } from '../../platform/transaction/gather.ts'
import { noteSuccess } from '../health/note-success.ts'
import type { AttemptedDelivery } from './attempt.ts'

const countAttempts = committedCounter({
  name: 'posthorn_webhook_attempts_total',
  help: 'Attempts to deliver an event to a webhook endpoint, by outcome.',
  labelNames: ['outcome'],
})

const countUnconfirmed = committedCounter({
  name: 'posthorn_webhook_unconfirmed_attempts_total',
  help: 'Attempts at webhook endpoints that have accepted nothing at their URL so far.',
  labelNames: [],
})

/**
 * Records the result of an attempt, in a commit shared with attempts that end meanwhile. Each attempt counts once: if
 * another process has recorded it after a lost lease, nothing changes.
 */
export const recordAttempt: (app: App, attempted: AttemptedDelivery) => Promise<void> = gatheredFor(
  (app, batch) => app.transaction((tx) => recordAll(tx, batch, app.config.webhookRetryDelaysMs)),
  { itemsMax: 500, flushesMax: 2 },
)

async function recordAll(tx: Tx, batch: AttemptedDelivery[], retryDelaysMs: readonly number[]): Promise<undefined[]> {
  const rows = batch.map((attempted) => {
    const { due, statusCode, at, durationMs, error, body } = attempted
    const entry = JSON.stringify({ at, durationMs, statusCode, error, body })
    return { ...due, statusCode, at, durationMs, entry, ...outcomeOf(attempted, tx.now, retryDelaysMs) }
  })
  // It is planned each time: a plan from before a burst would read all its deliveries for each batch.
  void tx.send(sql`${plannedEachTime}
    update webhook_deliveries as delivery set status = new.status, attempts = delivery.attempts + 1,
      response_status_code = new.status_code, last_attempt_at = new.at, due_at = new.due_at,
      attempt_ms = new.duration_ms, counted_at = ${tx.now},
      attempt_log = coalesce(delivery.attempt_log, '[]') || new.entry
    from ${rowsOf(rows, columns).as('new')}
    where delivery.team_id = new.team_id and delivery.webhook_id = new.webhook_id and delivery.id = new.id
      and delivery.status = 'pending' and delivery.attempts = new.attempts
  `)
  const successes = batch.flatMap(({ due, url, delivered }) => (delivered ? [{ ...due, url }] : []))
  tx.withCommit(noteSuccess(tx, successes))
  const teamIds = new Map(batch.map(({ due }) => [due.webhookId, due.teamId]))
  const news = [...teamIds].map(([webhookId, teamId]) => {
    return { type: 'webhook.attempted' as const, teamId, data: { webhookId } }
  })
  await publish(tx, news)
  const outcomes = batch.map(({ delivered }) => ({ outcome: delivered ? 'delivered' : 'failed' }))
  countAttempts(tx, outcomes)
  const unconfirmed = batch.filter(({ due }) => !due.isConfirmed).map(() => ({}))
  countUnconfirmed(tx, unconfirmed)
  return batch.map(() => undefined)
}

const columns = {
  teamId: 'uuid',
  webhookId: 'uuid',
  id: 'uuid',
  attempts: 'int',
  status: 'text',
  statusCode: 'int',
  at: 'timestamptz',
  durationMs: 'int',
  dueAt: 'timestamptz',
  entry: 'jsonb',
} as const

function outcomeOf({ due, delivered }: AttemptedDelivery, now: Date, retryDelaysMs: readonly number[]) {
  if (delivered) return { status: 'delivered', dueAt: null }
  const delayMs = retryDelaysMs[due.attempts]
  if (delayMs === undefined) return { status: 'failed', dueAt: null }
  return { status: 'pending', dueAt: new Date(now.getTime() + delayMs) }
}
