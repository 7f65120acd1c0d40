import { sql } from 'kysely'
import type { App, Caller } from '../context.ts'
import { seesSystemMail } from '../emails/system-mail.ts'

/**
 * The tables that are emptied. Messages that people sent to the team are deleted too, but are not captured, so they are
 * not counted.
 */
const parts = [
  { table: 'inbox_messages' },
  { table: 'inbox_sms', direction: 'outbound' },
  { table: 'inbox_sms', direction: 'inbound' },
  { table: 'inbox_whatsapp', direction: 'outbound' },
  { table: 'inbox_whatsapp', direction: 'inbound' },
] as const
type Part = { table: (typeof parts)[number]['table']; direction?: 'outbound' | 'inbound' }

/** Rows that one statement deletes, so that a long inbox does not reach the statement timeout. */
const rowsMax = 5000

/**
 * Deletes the messages of all channels that are in the team's inbox now and that the caller sees. Messages that arrive
 * meanwhile stay.
 */
export async function emptyInbox(app: App, caller: Caller): Promise<{ deleted: number }> {
  const upTo = app.newId()
  let deleted = 0
  for (const part of parts as readonly Part[]) {
    for (let count = rowsMax; count === rowsMax; ) {
      count = await deleteSome(app, part, caller, upTo)
      if (part.direction !== 'inbound') deleted += count
    }
  }
  return { deleted }
}

function deleteSome(app: App, { table, direction }: Part, caller: Caller, upTo: string): Promise<number> {
  const { teamId } = caller
  const keepsSystem = table === 'inbox_messages' && !seesSystemMail(caller)
  return app.transaction(async (tx) => {
    const oldest = tx.db
      .selectFrom(table)
      .select('id')
      .where('team_id', '=', teamId)
      .where('id', '<', upTo)
      .$if(direction !== undefined, (rows) => rows.where(sql<boolean>`direction = ${direction}`))
      .$if(keepsSystem, (rows) => rows.where(sql<boolean>`not system`))
      .orderBy('id')
      .limit(rowsMax)
    const result = await tx.db
      .deleteFrom(table)
      .where('team_id', '=', teamId)
      .where('id', 'in', oldest)
      .executeTakeFirst()
    return Number(result.numDeletedRows)
  })
}
