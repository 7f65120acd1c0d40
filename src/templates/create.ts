import type { App, Tx } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { withTestMark } from '../platform/mode/other-mode.ts'
import { refuseStorage } from '../teams/bounds/refuse-storage.ts'
import { templateColumns } from './queries.ts'
import type { NewTemplate } from './schema.ts'

/**
 * Creates a draft, in test mode one that live keys do not see. Throws `unprocessable` if the team stores as much as its
 * plan allows.
 */
export function createTemplate(app: App, teamId: string, given: NewTemplate) {
  return app.transaction((tx) => insertTemplate(tx, teamId, given))
}

/** Does what `createTemplate` does in a unit of work of the caller. */
export async function insertTemplate(tx: Tx, teamId: string, { name, html = null, text = null }: NewTemplate) {
  await refuseStorage(tx.db, teamId)
  const made = await tx.db
    .insertInto('templates')
    .values({ team_id: teamId, id: tx.newId(), name, html, text, created_at: tx.now, updated_at: tx.now })
    .returning(templateColumns)
    .executeTakeFirstOrThrow()
  const target = { type: 'template', id: made.id, name }
  await recordChange(tx, { teamId, action: 'template.created', target })
  return withTestMark(made)
}
