import type { App, Caller } from '../context.ts'
import { seesSystemMail } from '../emails/system-mail.ts'
import { notFound } from '../platform/errors.ts'

/** Deletes a captured email. Throws `notFound`, also for system mail that the caller may not see. */
export async function deleteInboxMessage(app: App, caller: Caller, id: string): Promise<{ id: string; deleted: true }> {
  const result = await app.transaction((tx) =>
    tx.db
      .deleteFrom('inbox_messages')
      .where('team_id', '=', caller.teamId)
      .where('id', '=', id)
      .$if(!seesSystemMail(caller), (rows) => rows.where('system', '=', false))
      .executeTakeFirst(),
  )
  if (result.numDeletedRows === 0n) throw notFound('message in the inbox')
  return { id, deleted: true }
}
