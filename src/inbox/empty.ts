import type { App } from '../context.ts'

/** Of one statement: the longest inbox is emptied without one that runs into the time limit. */
const rowsMax = 5000

/** Empties the team's inbox of what is in it now; what arrives meanwhile stays. */
export async function emptyInbox(app: App, teamId: string): Promise<{ deleted: number }> {
  const upTo = app.newId()
  let deleted = 0
  for (;;) {
    const count = await deleteSome(app, teamId, upTo)
    deleted += count
    if (count < rowsMax) return { deleted }
  }
}

function deleteSome(app: App, teamId: string, upTo: string): Promise<number> {
  return app.transaction(async (tx) => {
    const oldest = tx.db
      .selectFrom('inbox_messages')
      .select('id')
      .where('team_id', '=', teamId)
      .where('id', '<', upTo)
      .orderBy('id')
      .limit(rowsMax)
    const result = await tx.db
      .deleteFrom('inbox_messages')
      .where('team_id', '=', teamId)
      .where('id', 'in', oldest)
      .executeTakeFirst()
    return Number(result.numDeletedRows)
  })
}
