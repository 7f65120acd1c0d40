import { sql } from 'kysely'
import type { App, Tx } from '../../../context.ts'
import { gatheredFor } from '../../../platform/gather.ts'

type MessageRef = { teamId: string; id: string }

/**
 * Marks a message as being handed over, for good, before the provider is called: whoever finds the mark does not call again.
 * False where somebody else has marked it, or it is gone. Many at a time share a commit.
 */
export const markHandedOver: (app: App, message: MessageRef) => Promise<boolean> = gatheredFor(
  (app, messages) => app.transaction((tx) => markAll(tx, messages)),
  { itemsMax: 200, flushesMax: 1 },
)

async function markAll(tx: Tx, messages: MessageRef[]): Promise<boolean[]> {
  const { rows } = await sql<{ id: string }>`
    update whatsapp_messages as message set handed_over_at = ${tx.now}
    from unnest(${messages.map(({ teamId }) => teamId)}::uuid[], ${messages.map(({ id }) => id)}::uuid[]) as marked (team_id, id)
    where message.team_id = marked.team_id and message.id = marked.id and handed_over_at is null and status = 'accepted'
    returning message.id
  `.execute(tx.db)
  const marked = new Set(rows.map(({ id }) => id))
  return messages.map(({ id }) => marked.has(id))
}
