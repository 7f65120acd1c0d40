import type { App } from '../context.ts'

const tables = ['inbox_messages', 'inbox_sms', 'inbox_whatsapp'] as const

/** Rows that one statement deletes, so that a long inbox does not reach the statement timeout. */
const rowsMax = 5000

/** Deletes the messages of all channels that are in the team's inbox now. Messages that arrive meanwhile stay. */
export async function emptyInbox(app: App, teamId: string): Promise<{ deleted: number }> {
  const upTo = app.newId()
  let deleted = 0
  for (const table of tables) {
    for (let count = rowsMax; count === rowsMax; ) {
      count = await deleteSome(app, table, teamId, upTo)
      deleted += count
    }
  }
  return { deleted }
}

function deleteSome(app: App, table: (typeof tables)[number], teamId: string, upTo: string): Promise<number> {
  return app.transaction(async (tx) => {
    const oldest = tx.db
      .selectFrom(table)
      .select('id')
      .where('team_id', '=', teamId)
      .where('id', '<', upTo)
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
