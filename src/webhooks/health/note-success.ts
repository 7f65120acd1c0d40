import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { createLru } from '../../platform/lru.ts'
import { perApp } from '../../platform/per-app.ts'
import { rowsOf } from '../../platform/sql-rows.ts'

/** A success is stored once an hour, which is enough to detect webhooks that fail for days. */
const everyMs = 3_600_000
/** When this process last wrote a success, by webhook id. One that was forgotten is written once more. */
const notedOf = perApp((_: App['jobs']) => createLru<number>({ countMax: 20_000 }))

/** Records that webhooks took a delivery now. A row that another transaction has locked is left for the next hour. */
export function noteSuccess(tx: Tx, webhooks: { teamId: string; webhookId: string }[]): void {
  const noted = notedOf(tx.jobs)
  const nowMs = tx.now.getTime()
  const isDue = ({ webhookId }: { webhookId: string }) => Math.abs(nowMs - (noted.get(webhookId) ?? 0)) >= everyMs
  const due = new Map(webhooks.filter(isDue).map((webhook) => [webhook.webhookId, webhook.teamId]))
  if (due.size === 0) return
  const succeeded = [...due].map(([id, teamId]) => ({ teamId, id }))
  void tx.send(sql`
    with mine as materialized (
      select webhook.team_id, webhook.id
      from ${rowsOf(succeeded, { teamId: 'uuid', id: 'uuid' }).as('succeeded')}
      join webhooks as webhook on webhook.team_id = succeeded.team_id and webhook.id = succeeded.id
      where webhook.healthy_at < ${tx.now} for no key update of webhook skip locked
    )
    update webhooks set healthy_at = ${tx.now} from mine where webhooks.team_id = mine.team_id and webhooks.id = mine.id
  `)
  tx.afterCommit(() => {
    for (const id of due.keys()) noted.set(id, nowMs)
  })
}
