import { sql } from 'kysely'
import type { App, SentAtOnce, Tx } from '../../context.ts'
import { createLru } from '../../platform/lru.ts'
import { perApp } from '../../platform/per-app.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'

/** A success is stored once an hour, which is enough to detect webhooks that fail for days. */
const everyMs = 3_600_000
/** When this process last wrote a success, by webhook id. One that was forgotten is written once more. */
const notedOf = perApp((_: App['jobs']) => createLru<number>({ countMax: 20_000 }))

type Succeeded = { teamId: string; webhookId: string; url: string; isConfirmed: boolean }

/**
 * Records that webhooks took a delivery now, which confirms their URLs. A row that another transaction has locked is
 * skipped: a later success writes it.
 */
export async function noteSuccess(tx: Tx, webhooks: Succeeded[]): SentAtOnce {
  const noted = notedOf(tx.jobs)
  const nowMs = tx.now.getTime()
  const isDue = ({ webhookId, isConfirmed }: Succeeded) =>
    !isConfirmed || Math.abs(nowMs - (noted.get(webhookId) ?? 0)) >= everyMs
  const due = new Map(webhooks.filter(isDue).map((webhook) => [webhook.webhookId, webhook]))
  if (due.size === 0) return
  const succeeded = [...due.values()].map(({ teamId, webhookId: id, url }) => ({ teamId, id, url }))
  const rows = await tx.send(sql<{ id: string }>`
    with mine as materialized (
      select webhook.team_id, webhook.id, webhook.endpoint_url = succeeded.url as confirmed
      from ${rowsOf(succeeded, { teamId: 'uuid', id: 'uuid', url: 'text' }).as('succeeded')}
      join webhooks as webhook on webhook.team_id = succeeded.team_id and webhook.id = succeeded.id
      where webhook.healthy_at < ${tx.now} or not webhook.confirmed for no key update of webhook skip locked
    )
    update webhooks set healthy_at = ${tx.now}, confirmed = webhooks.confirmed or mine.confirmed from mine where webhooks.team_id = mine.team_id and webhooks.id = mine.id
    returning webhooks.id
  `)
  tx.afterCommit(() => {
    for (const { id } of rows) noted.set(id, nowMs)
  })
}
