import type { App } from '../context.ts'

const tables = ['inbox_messages', 'inbox_sms', 'inbox_whatsapp'] as const

/** Of one statement: the longest inbox is emptied without one that runs into the time limit. */
const rowsMax = 5000

/** Empties the team's inbox, all channels of it, of what is in it now; what arrives meanwhile stays. */
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
